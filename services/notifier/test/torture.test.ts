// This test reported these faults when the code was broken on purpose:
//
// - Joining the rooms one turn of the event loop after the ring was read to its end (feed-connection.ts): clients get a cursor
//   that is ahead of an event, and never get that event.
// - Sending the event to the rooms one turn after it was pushed to the ring (feed.ts): clients get events twice, and cursors
//   ahead of their events.
// - Neither declaring nor checking the stream before the first publication on a new connection (publisher.ts): hundreds of
//   acknowledged writes are missing from the stream, and versions first appear out of order. Either of the two is enough to
//   prevent this.
// - Emptying the whole outbox instead of a `$pull` by id (outbox-store.ts): dozens of acknowledged writes are missing.
import { expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { torture } from './support/torture.ts';

const seconds = budget(4, 120);

test('clients get each event exactly once and in order, even while brokers and notifiers are killed', async () => {
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
