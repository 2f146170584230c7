import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newKey, startTransfersHarness, type TransfersHarness } from './support/harness.ts';
import { twoAccounts } from './support/outage.ts';

let harness: TransfersHarness;
beforeAll(async () => {
  harness = await startTransfersHarness('committed-reads');
});
afterAll(() => harness.close());

type Profiled = { ns: string; command: { find?: string; autocommit?: boolean; readConcern?: { level?: string } } };

test('all reads outside transactions return only majority-committed data', async () => {
  await harness.db.command({ profile: 2 });
  const { ana, from, to } = await twoAccounts(harness);
  const request = { from, to, amount: '1.00', key: newKey() };

  const first = await harness.send(ana, request);
  const replayed = await harness.send(ana, request);
  for (const path of ['', `/${from}`, `/${from}/entries`, `/internal-transfers/${first.body.id}`])
    await ana.call('GET', `/accounts${path}`);
  await harness.db.command({ profile: 0 });
  const profile = harness.db.collection<Profiled>('system.profile');
  const reads = await profile.find({ ns: /\.(accounts|transfers)$/, 'command.find': { $exists: true } }).toArray();

  const outside = reads.filter(({ command }) => command.autocommit === undefined && !isOutbox(command));
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(outside.length).toBeGreaterThan(6);
  expect(outside.filter(({ command }) => command.readConcern?.level !== 'majority')).toEqual([]);
});
/** Reads of the outbox need not be committed: if an election rolls back an event's removal, the event is only published again. */
const isOutbox = (command: object): boolean => JSON.stringify(command).includes('outbox.time');
