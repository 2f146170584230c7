import type { Client } from '@comanda/client';
import type { CallStatus, TableCall } from '@comanda/contracts/calls';
import { createRetry } from '@comanda/ui/retry.ts';
import { computed, signal } from '@preact/signals';

export type FollowedCalls = ReturnType<typeof followCalls>;

/**
 * The calls that somebody has to answer, oldest first: read whenever the feed is live, and kept by its events. A read that fails is
 * repeated: no event brings the calls from before it.
 */
export function followCalls(client: Pick<Client, 'calls' | 'feed'>) {
  const byId = signal<ReadonlyMap<number, TableCall>>(new Map());
  const retry = createRetry(() => void read());

  function put(call: TableCall): void {
    const known = byId.peek().get(call.id);
    if (known === undefined || known.version < call.version) byId.value = new Map(byId.peek()).set(call.id, call);
  }
  async function read(): Promise<void> {
    const before = byId.peek();
    try {
      const found = await client.calls.listCalls({});
      const listed = new Set(found.map(({ id }) => id));
      // What is not listed any more has ended, unless the feed has told of it since.
      const told = [...byId.peek()].filter(([id, call]) => listed.has(id) || before.get(id) !== call);
      byId.value = new Map(told);
      found.forEach(put);
      retry.succeed();
    } catch (error) {
      retry.fail(error);
    }
  }
  const feed = client.feed({
    onEvent: ({ type, data }) => {
      if (type === 'call.changed') put(data.call);
    },
    onState: ({ kind }) => {
      if (kind === 'live') void read();
    },
  });
  return {
    waiting: computed(() =>
      [...byId.value.values()].filter(isWaiting).sort((a, b) => a.created_at.localeCompare(b.created_at)),
    ),
    /** Why there may be others; null if there are none. */
    failure: retry.failure,
    /** Of two who take a call at once, one reads that the other goes. @throws CallFailure */
    set: async ({ id }: TableCall, status: CallStatus): Promise<void> => {
      try {
        put(await client.calls.updateCall({ id, status }));
      } catch (error) {
        await read();
        throw error;
      }
    },
    close: (): void => {
      retry.close();
      feed.close();
    },
  };
}

const isWaiting = ({ status }: TableCall): boolean => status === 'open' || status === 'taken';
