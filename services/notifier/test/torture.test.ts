// What this test reported when one of these was broken on purpose:
//
// - The rooms are joined a turn of the event loop after the ring was read to its end (feed-connection.ts): clients are
//   sent a cursor ahead of an event, and never get that event.
// - The event is sent to the rooms a turn after it was pushed to the ring (feed.ts): clients get events twice, and
//   cursors that are ahead of what they were sent.
// - The stream is neither declared nor asked for before the first publish on a new connection (publisher.ts): hundreds of
//   acknowledged writes are missing from the stream, and versions first appear out of order. One of the two is enough.
// - The whole outbox is emptied instead of a `$pull` by id (outbox-store.ts): dozens of acknowledged writes are missing.
import { expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { torture } from './support/torture.ts';

const seconds = budget(4, 120);

test('when brokers and notifiers are killed under load and clients come and go, then each client gets what it may hear, once, in order', async () => {
  const { mongodbUri, database } = await isolatedServers('torture');

  const report = await torture({
    mongodbUri,
    database,
    seconds,
    perSecond: budget(150, 500),
    stopsBroker: budget(false, true),
  });

  expect(report.faults).toEqual([]);
  expect(report.writes).toBeGreaterThan(budget(0, 10 * seconds));
  expect(report.connections).toBeGreaterThan(budget(0, seconds));
}, 1_200_000);
