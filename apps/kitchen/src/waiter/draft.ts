import type { LiveItem } from '@comanda/client';
import { signal } from '@preact/signals';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';

export type DraftLine = {
  dishId: number;
  name: string;
  price: string;
  currency: string;
  quantity: number;
  remarks: string;
};
/** What a waiter has chosen and not sent. */
export type Draft = { table: string | null; lines: readonly DraftLine[]; allergies: string };

const empty: Draft = { table: null, lines: [], allergies: '' };

/** The draft of this user, which a reload leaves as it is. */
export function createDraft(userId: number) {
  const storage = stored(`waiter.draft.${userId}`, hasKeys<Draft>('table', 'lines', 'allergies'), empty);
  const draft = signal<Draft>(storage.get());
  function set(next: Draft): void {
    draft.value = next;
    storage.write(next);
  }
  const change = (part: Partial<Draft>): void => set({ ...draft.peek(), ...part });
  const changeLine = (dishId: number, part: Partial<DraftLine>): void =>
    change({
      lines: draft
        .peek()
        .lines.map((line) => (line.dishId === dishId ? { ...line, ...part } : line))
        .filter(({ quantity }) => quantity > 0),
    });
  return {
    draft,
    clear: (): void => set(empty),
    put: set,
    setTable: (table: string | null): void => change({ table }),
    setAllergies: (allergies: string): void => change({ allergies }),
    setRemarks: (dishId: number, remarks: string): void => changeLine(dishId, { remarks }),
    /** A quantity of 0 removes the line. */
    setQuantity: (dishId: number, quantity: number): void => changeLine(dishId, { quantity }),
    add: ({ id: dishId, name, price, currency }: LiveItem): void =>
      change({ lines: [...draft.peek().lines, { dishId, name, price, currency, quantity: 1, remarks: '' }] }),
  };
}

export const countOf = (lines: readonly DraftLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);
export const totalOf = (lines: readonly DraftLine[]): string =>
  fromMinor(lines.reduce((sum, { price, quantity }) => sum + toMinor(price) * quantity, 0));
