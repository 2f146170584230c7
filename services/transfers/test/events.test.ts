import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { events } from '@comanda/contracts/events';
import { recordEvents } from '@comanda/testing/recorded-events';
import type { RecordedEvents } from '@comanda/testing/recorded-events';
import { until } from '@comanda/testing/until';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startTransfersHarness } from './support/harness.ts';
import type { TransfersHarness } from './support/harness.ts';

let harness: TransfersHarness;
let heard: RecordedEvents;
beforeAll(async () => {
  const own = await isolatedServers('transfer-events');
  heard = await recordEvents(own.rabbitmqUrl);
  harness = await startTransfersHarness('transfer-events', { servers: own });
}, 30_000);
afterAll(async () => {
  await harness.close();
  await heard.close();
});

describe('transfer.posted', () => {
  test('when money moves, then the owners of both accounts are told, once, and nothing but what they may know', async () => {
    const [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
    const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
    const deposit = await harness.deposit(from, '20');
    const { body: transfer } = await harness.send(ana, { from, to, amount: '5', key: 'lunch' });
    await harness.send(ana, { from, to, amount: '5', key: 'lunch' });
    const [told] = await heard.waitFor('transfer.posted', transfer.id);
    expect(told).toMatchObject({ source: '/transfers', data: { transfer, party_ids: [ana.id, rui.id] } });
    expect(told?.data).toEqual({ transfer, party_ids: [ana.id, rui.id] });
    expect(events['transfer.posted'].data.validate(told?.data, { convert: false }).error).toBeUndefined();
    const [ofDeposit] = await heard.waitFor('transfer.posted', deposit.id);
    expect(ofDeposit?.data).toMatchObject({ transfer: deposit, party_ids: [ana.id] });
    const left = () => harness.db.collection('transfers').countDocuments({ 'outbox.0': { $exists: true } });
    await until(async () => (await left()) === 0, { what: 'the outbox to be empty' });
    expect(heard.of('transfer.posted', transfer.id)).toHaveLength(1);
  });

  test('when a transfer is refused, then nobody is told', async () => {
    const [ana, rui] = [await harness.customer('Ana'), await harness.customer('Rui')];
    const [from, to] = [(await harness.openAccount(ana)).id, (await harness.openAccount(rui)).id];
    expect((await harness.send(ana, { from, to, amount: '5' })).status).toBe(422);
    const deposit = await harness.deposit(to, '1');
    await heard.waitFor('transfer.posted', deposit.id);
    expect(heard.all.filter(({ data }) => JSON.stringify(data).includes(`"from_account_id":${from},`))).toEqual([]);
  });
});
