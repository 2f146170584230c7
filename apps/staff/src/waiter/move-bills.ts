import type { CallFailure, Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { UnsentList } from '@comanda/ui/unsent.ts';

/** What follows for a bill when its guests have moved to `table`, or their tables were joined. */
type Move = { kind: 'move'; table: string } | { kind: 'merge'; into: number };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  unsent: UnsentList;
  /** The bill stays as it is. `from`: the table that it was at. */
  onRefused: (from: string, failure: CallFailure) => void;
};

/** Bills that follow their guests: each call is repeated until it is answered, also after a reload. */
export function openMoveBills({ client, unsent, onRefused }: Deps) {
  const sender = unsent.open<Move & { billId: number; from: string }, { kind: 'made' }>('move', {
    send: async ({ input }, { signal }) => {
      const options = { repeat: 'never', signal } as const;
      await (input.kind === 'move'
        ? client.calls.setBillTable({ id: input.billId, table: input.table }, options)
        : client.calls.mergeBill({ id: input.billId, into: input.into }, options));
      return { kind: 'made' };
    },
    onResult: ({ key, input }, result) => {
      if (result.kind === 'made') return;
      sender.remove(key);
      onRefused(input.from, result.failure);
    },
  });
  return {
    add: ({ id, table }: Bill, move: Move): void =>
      sender.add(client.newKey(), { ...move, billId: id, from: table ?? '' }),
    tryNow: sender.tryNow,
    close: sender.close,
  };
}
