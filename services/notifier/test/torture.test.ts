// What this test said when each of these was broken on purpose:
//
// - `join` a turn later than the reading of the ring (screen.ts): clients are told to be at a place before an event of
//   before it came, and never get that event
// - `send` to the rooms a turn later than the push to the ring (sockets.ts): clients get events twice, and notices that
//   are ahead of what they were sent
// - no declaring of, and no asking for, the stream before the first publish on a new connection (publisher.ts): the
//   stream lacks hundreds of acknowledged writes, and versions first appear out of order. Either of the two is enough
// - the whole outbox emptied instead of a `$pull` by id (outbox-store.ts): the stream lacks dozens of acknowledged writes
import { expect, test } from '@jest/globals';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { torture } from './support/torture.ts';

test('when brokers and notifiers die under load and clients come and go, then everyone has all that is theirs, once, in order', async () => {
  const { mongodbUri, database } = await isolatedServers('torture');
  const lines: string[] = [];
  const report = await torture({ mongodbUri, database, seconds: 10, perSecond: 500, log: (line) => lines.push(line) });

  expect(report.faults).toEqual([]);
  expect(report.writes).toBeGreaterThan(1000);
  expect(report.connections).toBeGreaterThan(60);
}, 240_000);
