import type { LiveItem } from '@comanda/client/core';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { emptyDraft, onDeviceLater } from '../on-device-later.ts';

export type DraftLine = {
  dishId: number;
  name: string;
  price: string;
  currency: string;
  quantity: number;
  remarks: string;
};
/** The dishes and allergies that a waiter has entered for a table and not sent yet. */
export type Draft = {
  table: string | null;
  lines: readonly DraftLine[];
  allergies: string;
  /** When the first dish was selected, in milliseconds; absent if an earlier release stored the draft. */
  begunAtMs?: number;
};

/** How long a draft is kept, in milliseconds. An older one belongs to guests who have left. */
const keptForMs = 4 * 3_600_000;
export const isOld = ({ begunAtMs }: Draft): boolean =>
  begunAtMs !== undefined && Math.abs(Date.now() - begunAtMs) >= keptForMs;

/** Opens this user's draft, which survives a reload. */
export function createDraft(userId: number) {
  const { signal: draft, write: set } = onDeviceLater.draft(userId);
  if (isOld(draft.peek())) set(emptyDraft);
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
    clear: (): void => set(emptyDraft),
    put: (next: Draft): void => set({ ...next, begunAtMs: Date.now() }),
    /** Sets the table for the draft. An old draft is discarded first. */
    setTable: (table: string | null): void => set({ ...(isOld(draft.peek()) ? emptyDraft : draft.peek()), table }),
    setAllergies: (allergies: string): void => change({ allergies }),
    setRemarks: (dishId: number, remarks: string): void => changeLine(dishId, { remarks }),
    /** Sets a dish's quantity; 0 removes the dish. */
    setQuantity: (dishId: number, quantity: number): void => changeLine(dishId, { quantity }),
    add: ({ id: dishId, name, price, currency }: LiveItem): void => {
      const { lines, begunAtMs = Date.now() } = draft.peek();
      change({
        lines: [...lines, { dishId, name, price, currency, quantity: 1, remarks: '' }],
        begunAtMs: lines.length === 0 ? Date.now() : begunAtMs,
      });
    },
  };
}

export const countOf = (lines: readonly DraftLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);
export const totalOf = (lines: readonly DraftLine[]): string =>
  fromMinor(lines.reduce((sum, { price, quantity }) => sum + toMinor(price) * BigInt(quantity), 0n));
