import { createOutbox, type CallFailure, type Client } from '@comanda/client';
import type { Bill } from '@comanda/contracts/bills';
import { isListOf, stored } from '@comanda/ui/stored-setting.ts';
import { moveBillsName } from '../device/kept-work.ts';

/** What follows for a bill when its guests have moved to `table`, or their tables were joined. */
type Move = { kind: 'move'; table: string } | { kind: 'merge'; into: number };
type Entry = Move & { key: string; billId: number; from: string };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  userId: number;
  onMoved: (bill: Bill) => void;
  /** The bill stays as it is. `from`: the table that it was at. */
  onRefused: (from: string, failure: CallFailure) => void;
};

/** Bills that follow their guests: each call is repeated until it is answered, also after a reload. */
export function openMoveBills({ client, userId, onMoved, onRefused }: Deps) {
  const storage = stored(moveBillsName(userId), isListOf<Entry>('kind', 'key', 'billId', 'from'), []);
  const outbox = createOutbox<Entry, Bill>({
    storage,
    keyOf: ({ key }) => key,
    send: (entry, { signal }) => {
      const options = { repeat: 'never', signal } as const;
      return entry.kind === 'move'
        ? client.calls.setBillTable({ id: entry.billId, table: entry.table }, options)
        : client.calls.mergeBill({ id: entry.billId, into: entry.into }, options);
    },
    onSent: (_entry, bill) => onMoved(bill),
    onRefused: ({ from }, failure) => onRefused(from, failure),
  });
  return {
    add: ({ id, table }: Bill, move: Move): void =>
      outbox.add({ ...move, key: client.newKey(), billId: id, from: table ?? '' }),
    tryNow: outbox.tryNow,
    close: outbox.close,
  };
}
