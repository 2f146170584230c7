import type { LiveItem } from '@comanda/client';
import { signal } from '@preact/signals';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';

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
export const maxQuantity = 99;

/** The draft of this user, kept over reloads. */
export function createDraft(userId: number) {
  const name = `waiter.draft.${userId}`;
  const draft = signal<Draft>(load());
  function load(): Draft {
    try {
      return { ...empty, ...(JSON.parse(readSetting(name) ?? '{}') as Partial<Draft>) };
    } catch {
      return empty; // not written by this app
    }
  }
  function set(next: Draft): void {
    draft.value = next;
    writeSetting(name, next === empty ? null : JSON.stringify(next));
  }
  const change = (part: Partial<Draft>): void => set({ ...draft.peek(), ...part });
  const lineOf = (dishId: number): DraftLine | undefined => draft.peek().lines.find((line) => line.dishId === dishId);
  return {
    draft,
    clear: (): void => set(empty),
    put: set,
    setTable: (table: string | null): void => change({ table }),
    setAllergies: (allergies: string): void => change({ allergies }),
    setRemarks: (dishId: number, remarks: string): void =>
      change({ lines: draft.peek().lines.map((line) => (line.dishId === dishId ? { ...line, remarks } : line)) }),
    /** A quantity of 0 removes the line. */
    setQuantity: ({ id, name: dishName, price, currency }: LiveItem, quantity: number): void => {
      const { lines } = draft.peek();
      if (quantity <= 0) change({ lines: lines.filter((line) => line.dishId !== id) });
      else if (lineOf(id)) change({ lines: lines.map((line) => (line.dishId === id ? { ...line, quantity } : line)) });
      else change({ lines: [...lines, { dishId: id, name: dishName, price, currency, quantity, remarks: '' }] });
    },
    changeLine: (dishId: number, quantity: number): void =>
      change({
        lines: draft
          .peek()
          .lines.map((line) => (line.dishId === dishId ? { ...line, quantity } : line))
          .filter((line) => line.quantity > 0),
      }),
  };
}

export const countOf = (lines: readonly DraftLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);
export const totalOf = (lines: readonly DraftLine[]): string =>
  fromMinor(lines.reduce((sum, { price, quantity }) => sum + toMinor(price) * quantity, 0));
