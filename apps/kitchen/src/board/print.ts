import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import type { BoardCard } from './card.ts';

/** What is being printed. */
export type Printout = { kind: 'ticket' | 'board'; cards: readonly BoardCard[]; reprintIds: ReadonlySet<number> };

const maxRemembered = 300;
const readPrinted = (): number[] => (readSetting('kitchen.printed') ?? '').split(',').filter(Boolean).map(Number);

/** Shows the browser's print window. A ticket that this device has printed before is marked, so that nobody cooks it twice. */
export function createPrinter() {
  const printout = signal<Printout | null>(null);
  function print(kind: Printout['kind'], cards: readonly BoardCard[]): void {
    const printed = readPrinted();
    printout.value = { kind, cards, reprintIds: new Set(printed) };
    const ids = cards.map(({ ticket }) => ticket.id);
    writeSetting('kitchen.printed', [...new Set([...printed, ...ids])].slice(-maxRemembered).join());
  }
  return {
    printout,
    printTicket: (card: BoardCard): void => print('ticket', [card]),
    printBoard: (cards: readonly BoardCard[]): void => print('board', cards),
  };
}
