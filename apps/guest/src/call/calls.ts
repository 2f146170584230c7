import { CallFailure, type Client, type Collection } from '@comanda/client/core';
import { calls as tableCalls } from '@comanda/client/collections/calls';
import type { CallKind, CallMethod, TableCall } from '@comanda/contracts/calls';
import { computed, effect, signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';

export type NewCall = { kind: CallKind; method?: CallMethod; amount?: string; note?: string };

/** What a guest has requested: to call a waiter, or to withdraw a call. `isDone` checks the waiting calls for its effect. */
type Act = { what: 'call' | 'takeBack'; isDone: (waiting: readonly TableCall[]) => boolean };

/**
 * The table's calls that no waiter has completed, but of those with an amount only this guest's. A call is sent immediately and never stored: if it fails, the guest must call
 * again.
 */
export function openCalls({ client, seat }: { client: Client; seat: Seat }) {
  const seating = computed(() => seat.who.value?.seating);
  const opened = signal<Collection<TableCall> | null>(null);
  const lastFailed = signal<(Act & { isSure: boolean }) | null>(null);
  const isBusy = signal(false);
  const ofTable = (calls: readonly TableCall[]): TableCall[] =>
    calls.filter(
      ({ seating: where, amount, placed_by: by }) => where === seating.peek() && (amount == null || seat.isOwn(by.id)),
    );
  const waiting = computed(() => ofTable(opened.value?.rows.value ?? []));

  const stopFollowing = effect(() => {
    lastFailed.value = null;
    if (seating.value === undefined) return undefined;
    const collection = client.collection(tableCalls);
    opened.value = collection;
    return () => {
      opened.value = null;
      collection.close();
    };
  });

  /** Resolves to true if the request succeeded, even if only the list of calls shows that. */
  async function answer(act: Act, asked: Promise<TableCall>): Promise<boolean> {
    lastFailed.value = null;
    isBusy.value = true;
    try {
      await asked;
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const isSure = error.outcome === 'none' || (await hasLoaded());
      lastFailed.value = { ...act, isSure };
      return isSure && act.isDone(waiting.value);
    } finally {
      isBusy.value = false;
    }
  }
  async function hasLoaded(): Promise<boolean> {
    const collection = opened.peek();
    await collection?.load();
    return collection?.failure.peek() === null;
  }
  return {
    waiting,
    /** True while a call or its withdrawal has no response. */
    isBusy,
    /** The request that failed, or `unsure` if it may have succeeded. Null once the list shows that it did. */
    failure: computed(() => {
      const failed = lastFailed.value;
      if (failed === null || failed.isDone(waiting.value)) return null;
      return failed.isSure ? failed.what : 'unsure';
    }),
    forgetFailure: (): void => void (lastFailed.value = null),
    /** Calls a waiter. Resolves to true if that succeeded. */
    make: (call: NewCall): Promise<boolean> =>
      answer(
        {
          what: 'call',
          isDone: (calls) =>
            calls.some(({ kind, amount }) => kind === call.kind && (amount ?? null) === (call.amount ?? null)),
        },
        client.calls.call(call),
      ),
    takeBack: ({ id }: TableCall): Promise<boolean> =>
      answer(
        { what: 'takeBack', isDone: (calls) => !calls.some((call) => call.id === id) },
        client.calls.updateCall({ id, status: 'cancelled' }),
      ),
    close: stopFollowing,
  };
}
