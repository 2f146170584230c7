import type { CallFailure } from '@comanda/client/core';
import { signal, type ReadonlySignal } from '@preact/signals';
import { undoForMs, type Bump } from '../bumps/bump.ts';
import type { Dropped } from '../bumps/bump-queue.ts';
import type { Taken } from './bill/unsent-payments.ts';
import type { ClosedTable } from './freed-table.ts';

/** What the message at the bottom of the screen is about. */
export type Notice =
  | { kind: 'served'; table: string | null; guest: string; count: number; bumps: readonly Bump[] }
  | { kind: 'sent'; ticket: number; table: string | null }
  | { kind: 'moved'; ticket: number; table: string }
  | { kind: 'taken_off'; ticket: number; dish: string }
  | { kind: 'dishes_moved'; dishes: string; table: string }
  | { kind: 'remade'; dishes: string; ticket: number }
  | { kind: 'closed' | 'opened' | 'cleaned'; table: string }
  | { kind: 'guests_moved' | 'joined'; table: string; to: string }
  | { kind: 'bill_stayed'; table: string; failure: CallFailure }
  | { kind: 'stopped'; table: string }
  | ({ kind: 'recorded' } & Pick<Taken, 'table' | 'currency' | 'method' | 'amount' | 'tip'>)
  /** A Pix was paid, on any guest's phone. */
  | ({ kind: 'pix_paid'; /** True if staff have confirmed it, not the bank. */ isByStaff: boolean } & Pick<
      Taken,
      'table' | 'currency' | 'amount' | 'tip'
    >)
  | ({ kind: 'ended'; number: number | null } & ClosedTable)
  | Dropped;
export type NoticeLine = {
  notice: ReadonlySignal<Notice | null>;
  show: (next: Notice | null) => void;
  close: () => void;
};

const noticeForMs = 5_000;

/** Returns true for a message that stays until the waiter closes it, because an action failed or was stopped. */
export const isAlarm = ({ kind }: Notice): boolean => ['stopped', 'dropped', 'bill_stayed'].includes(kind);

/** Creates the message at the bottom of the screen. Unless it is an alarm, it hides after 5 s, or after 8 s with Undo. */
export function createNoticeLine(): NoticeLine {
  const notice = signal<Notice | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  function show(next: Notice | null): void {
    clearTimeout(timer);
    notice.value = next;
    if (next && !isAlarm(next)) timer = setTimeout(show, next.kind === 'served' ? undoForMs : noticeForMs, null);
  }
  return { notice, show, close: () => clearTimeout(timer) };
}
