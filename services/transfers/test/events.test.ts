import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventData } from '@comanda/contracts/event-data';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { until } from '@comanda/testing/until';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startTransfersHarness, type SignedInUser, type TransfersHarness } from './support/harness.ts';

let harness: TransfersHarness;
let recorded: RecordedEvents;
let ana: SignedInUser;
let rui: SignedInUser;
beforeAll(async () => {
  const servers = await isolatedServers('transfer-events');
  recorded = await recordEvents(servers.rabbitmqUrl);
  harness = await startTransfersHarness('transfer-events', { servers });
  [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
});
afterAll(async () => {
  await harness.close();
  await recorded.close();
});

const openAccounts = async () => ({
  from: (await harness.openAccount(ana)).id,
  to: (await harness.openAccount(rui)).id,
});

describe('the event transfer.posted', () => {
  test('contains only the transfer and the owners of both accounts', async () => {
    const { from, to } = await openAccounts();
    await harness.deposit(from, '20');

    const { body: transfer } = await harness.send(ana, { from, to, amount: '5' });

    const [event] = await recorded.waitFor('transfer.posted', transfer.id);
    expect(event?.source).toBe('/transfers');
    expect(event?.data).toEqual({ transfer, party_ids: [ana.id, rui.id] });
    expect(eventData['transfer.posted'].validate(event?.data, { convert: false }).error).toBeUndefined();
  });

  test("contains the account's owner if it's for a cash deposit", async () => {
    const { from } = await openAccounts();

    const deposit = await harness.deposit(from, '20');

    const [event] = await recorded.waitFor('transfer.posted', deposit.id);
    expect(event?.data).toEqual({ transfer: deposit, party_ids: [ana.id] });
  });

  test('is published only once if the request is retried', async () => {
    const { from, to } = await openAccounts();
    await harness.deposit(from, '20');

    const { body: transfer } = await harness.send(ana, { from, to, amount: '5', key: 'lunch' });
    await harness.send(ana, { from, to, amount: '5', key: 'lunch' });

    await recorded.waitFor('transfer.posted', transfer.id);
    const waiting = () => harness.db.collection('transfers').countDocuments({ 'outbox.0': { $exists: true } });
    await until(async () => (await waiting()) === 0, { what: 'the outbox to be empty' });
    expect(recorded.of('transfer.posted', transfer.id)).toHaveLength(1);
  });

  test("isn't published for a rejected transfer", async () => {
    const { from, to } = await openAccounts();

    const refused = await harness.send(ana, { from, to, amount: '5' });

    expect(refused.status).toBe(422);
    // An event for the rejected transfer would come before this event.
    const next = await harness.deposit(to, '1');
    await recorded.waitFor('transfer.posted', next.id);
    expect(recorded.all.filter(({ data }) => JSON.stringify(data).includes(`"from_account_id":${from},`))).toEqual([]);
  });

  test('is published only for genuine transfers, even if an attacker adds events to the database', async () => {
    const { from } = await openAccounts();
    const deposit = await harness.deposit(from, '20');
    const [genuine] = await recorded.waitFor('transfer.posted', deposit.id);
    const rows = harness.db.collection('transfers');
    const time = new Date(0);
    const paid = { ...genuine, id: 'forged', data: { ...genuine?.data, transfer: { ...deposit, amount: '500.00' } } };
    const order = { ...genuine, id: 'foreign', type: 'order.created', source: '/orders' };
    const outbox = [
      { id: 'forged', type: 'transfer.posted', time, body: JSON.stringify(paid) },
      { id: 'foreign', type: 'order.created', time, body: JSON.stringify(order) },
    ];
    const token = 'expired somebody';
    const row = { _id: token, status: 'expired', jti: 'somebody', created_at: time, statement: 's', outbox };
    await rows.insertOne(row as never);
    await rows.updateOne({ _id: deposit.id as never }, { $set: { outbox } });

    const waiting = () => rows.countDocuments({ 'outbox.0': { $exists: true } });
    await until(async () => (await waiting()) === 0, { what: 'the outbox to be empty' });
    const next = await harness.deposit(from, '1');
    await recorded.waitFor('transfer.posted', next.id);

    expect(recorded.of('transfer.posted', deposit.id)).toEqual([genuine]);
    expect(recorded.all.filter(({ id }) => ['forged', 'foreign'].includes(id))).toEqual([]);
    expect(recorded.conflictingIds).toEqual([]);
  });
});
