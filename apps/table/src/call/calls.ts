import { CallFailure, type Client } from '@comanda/client';
import type { CallKind, CallMethod, TableCall } from '@comanda/contracts/calls';
import { computed, effect, signal } from '@preact/signals';
import type { Seat } from '../seat/seat.ts';

export type NewCall = { kind: CallKind; method?: CallMethod; note?: string };

/** What this table has asked for and nobody has brought yet. A call is made at once or not at all: it is never kept. */
export function openCalls({ client, seat }: { client: Client; seat: Seat }) {
  const byId = signal<ReadonlyMap<number, TableCall>>(new Map());
  /** The last call was not made, or not taken back. */
  const hasFailed = signal(false);
  const seating = computed(() => seat.who.value?.seating);

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
    hasFailed.value = false;
    if (own === undefined) return undefined;
    const feed = client.feed({
      onEvent: ({ type, data }) => {
        if (type === 'call.changed' && data.call.seating === own) put(data.call);
      },
      onState: ({ kind }) => {
        if (kind === 'live') void read().catch(ignoreFailure);
      },
    });
    return feed.close;
  });
  async function answer(asked: Promise<TableCall>): Promise<boolean> {
    hasFailed.value = false;
    try {
      put(await asked);
      return true;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      hasFailed.value = true;
      return false;
    }
  }
  return {
    waiting: computed(() =>
      [...byId.value.values()].filter(
        (call) => call.seating === seating.value && (call.status === 'open' || call.status === 'taken'),
      ),
    ),
    hasFailed,
    /** Resolves to whether it was made. */
    make: (call: NewCall): Promise<boolean> => answer(client.calls.call(call)),
    takeBack: ({ id }: TableCall): Promise<boolean> => answer(client.calls.updateCall({ id, status: 'cancelled' })),
    close: stopFollowing,
  };
}

/** The next event, or the next connection, brings what was not read. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof CallFailure)) throw error;
}
