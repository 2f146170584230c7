import type { CallFailure, Client } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { UnsentList } from '@comanda/ui/unsent.ts';

/** What must happen to a bill after its guests have moved to `table`, or after their tables were joined. */
type Move = { kind: 'move'; table: string } | { kind: 'merge'; into: number };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  unsent: UnsentList;
  /** Called if the server rejects the change, so the bill stays as it is. `from` is the table that the bill is for. */
  onRefused: (from: string, failure: CallFailure) => void;
};

/** Moves or merges bills after their guests have moved. Each call is repeated until the server responds, even after a reload. */
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
