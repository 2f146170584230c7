import { CallFailure, type Client } from '@comanda/client';
import type { CallKind, CallMethod, TableCall } from '@comanda/contracts/calls';
import { createRetry } from '@comanda/ui/retry.ts';
import { computed, effect, signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';

export type NewCall = { kind: CallKind; method?: CallMethod; note?: string };

/** What a guest asked for; `isDone` looks at what waits. */
type Act = { what: 'call' | 'takeBack'; isDone: () => boolean };

/**
 * What this table has asked for and nobody has brought yet. A call is made at once or not at all: it is never kept. A read of the
 * list that fails is repeated: no event brings the calls from before it.
 */
export function openCalls({ client, seat }: { client: Client; seat: Seat }) {
  const byId = signal<ReadonlyMap<number, TableCall>>(new Map());
  const seating = computed(() => seat.who.value?.seating);
  const waiting = computed(() =>
    [...byId.value.values()].filter(
      (call) => call.seating === seating.value && (call.status === 'open' || call.status === 'taken'),
    ),
  );
  const { lastFailed, isBusy, answer } = createAnswers({ put, read });

  function put(call: TableCall): void {
    const known = byId.peek().get(call.id);
    if (known === undefined || known.version < call.version) byId.value = new Map(byId.peek()).set(call.id, call);
  }
  async function read(): Promise<void> {
    const before = byId.peek();
    const found = await client.calls.listCalls({});
    const listed = new Set(found.map(({ id }) => id));
    // What is not listed any more has ended, unless the feed or an answer has told of it since.
    const told = [...byId.peek()].filter(([id, call]) => listed.has(id) || before.get(id) !== call);
    byId.value = new Map(told);
    found.forEach(put);
  }
  const stopFollowing = effect(() => {
    const own = seating.value;
    byId.value = new Map();
    lastFailed.value = null;
    if (own === undefined) return undefined;
    const retry = createRetry(readAll);
    function readAll(): void {
      void read().catch(retry.fail);
    }
    const feed = client.feed({
      onEvent: ({ type, data }) => {
        if (type === 'call.changed' && data.call.seating === own) put(data.call);
      },
      onState: ({ kind }) => {
        if (kind === 'live') readAll();
      },
    });
    return () => {
      retry.close();
      feed.close();
    };
  });
  return {
    waiting,
    /** A call, or one that is taken back, has no answer yet. */
    isBusy,
    /** What was not done, or may not have been; null as soon as it shows that it was. */
    failure: computed(() => {
      const failed = lastFailed.value;
      if (failed === null || failed.isDone()) return null;
      return failed.isSure ? failed.what : 'unsure';
    }),
    forgetFailure: (): void => void (lastFailed.value = null),
    /** Resolves to whether it was made. */
    make: (call: NewCall): Promise<boolean> =>
      answer(
        { what: 'call', isDone: () => waiting.value.some(({ kind }) => kind === call.kind) },
        client.calls.call(call),
      ),
    takeBack: ({ id }: TableCall): Promise<boolean> =>
      answer(
        { what: 'takeBack', isDone: () => !waiting.value.some((call) => call.id === id) },
        client.calls.updateCall({ id, status: 'cancelled' }),
      ),
    close: stopFollowing,
  };
}

type Reading = { put: (call: TableCall) => void; read: () => Promise<void> };

function createAnswers({ put, read }: Reading) {
  const lastFailed = signal<(Act & { isSure: boolean }) | null>(null);
  const isBusy = signal(false);
  const isRead = (): Promise<boolean> =>
    read().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        return false;
      },
    );
  /** Resolves to whether it is done, also if only the list tells so. */
  async function answer(act: Act, asked: Promise<TableCall>): Promise<boolean> {
    lastFailed.value = null;
    isBusy.value = true;
    try {
      put(await asked);
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const isSure = error.outcome === 'none' || (await isRead());
      lastFailed.value = { ...act, isSure };
      return isSure && act.isDone();
    } finally {
      isBusy.value = false;
    }
  }
  return { lastFailed, isBusy, answer };
}
