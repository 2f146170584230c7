import { CallFailure, type Client, type Collection } from '@comanda/client/core';
import { calls as tableCalls } from '@comanda/client/collections/calls';
import type { CallKind, CallMethod, TableCall } from '@comanda/contracts/calls';
import { computed, effect, signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';

export type NewCall = { kind: CallKind; method?: CallMethod; note?: string };

/** What a guest asked for. `isDone` checks it in the calls that wait. */
type Act = { what: 'call' | 'takeBack'; isDone: (waiting: readonly TableCall[]) => boolean };

/** What this table has called for and no waiter has done yet. A call is made immediately or not at all: it is never stored. */
export function openCalls({ client, seat }: { client: Client; seat: Seat }) {
  const seating = computed(() => seat.who.value?.seating);
  const opened = signal<Collection<TableCall> | null>(null);
  const lastFailed = signal<(Act & { isSure: boolean }) | null>(null);
  const isBusy = signal(false);
  const ofTable = (calls: readonly TableCall[]): TableCall[] => calls.filter((call) => call.seating === seating.peek());
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

  /** Resolves to true if it is done, even if only the list shows that. */
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
    /** A call, or the withdrawal of one, has no response yet. */
    isBusy,
    /** What was not done, or may not have been; null as soon as the list shows that it was. */
    failure: computed(() => {
      const failed = lastFailed.value;
      if (failed === null || failed.isDone(waiting.value)) return null;
      return failed.isSure ? failed.what : 'unsure';
    }),
    forgetFailure: (): void => void (lastFailed.value = null),
    /** Resolves to true if the call was made. */
    make: (call: NewCall): Promise<boolean> =>
      answer(
        { what: 'call', isDone: (calls) => calls.some(({ kind }) => kind === call.kind) },
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
