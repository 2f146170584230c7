import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { events } from '@comanda/contracts/events';
import { hearEvents } from '@comanda/testing/heard-events';
import type { Heard } from '@comanda/testing/heard-events';
import { until } from '@comanda/testing/until';
import { isolated } from '@comanda/testing/isolated';
import { startTransfersHouse } from './support/house.ts';
import type { House } from './support/house.ts';

let house: House;
let heard: Heard;
beforeAll(async () => {
  const own = await isolated('transfer-events');
  heard = await hearEvents(own.rabbitmqUrl);
  house = await startTransfersHouse('transfer-events', { own });
}, 30_000);
afterAll(async () => {
  await house.close();
  await heard.close();
});

describe('transfer.posted', () => {
  test('when money moves, then the owners of both accounts are told, once, and nothing but what they may know', async () => {
    const [ana, rui] = [await house.customer('Ana'), await house.customer('Rui')];
    const [from, to] = [(await house.open(ana)).id, (await house.open(rui)).id];
    const deposit = await house.fund(from, '20');
    const { body: transfer } = await house.send(ana, { from, to, amount: '5', key: 'lunch' });
    await house.send(ana, { from, to, amount: '5', key: 'lunch' });
    const [told] = await heard.waitFor('transfer.posted', transfer.id);
    expect(told).toMatchObject({ source: '/transfers', data: { transfer, party_ids: [ana.id, rui.id] } });
    expect(told?.data).toEqual({ transfer, party_ids: [ana.id, rui.id] });
    expect(events['transfer.posted'].data.validate(told?.data, { convert: false }).error).toBeUndefined();
    const [ofDeposit] = await heard.waitFor('transfer.posted', deposit.id);
    expect(ofDeposit?.data).toMatchObject({ transfer: deposit, party_ids: [ana.id] });
    const left = () => house.db.collection('transfers').countDocuments({ 'outbox.0': { $exists: true } });
    await until(async () => (await left()) === 0, { what: 'the outbox to be empty' });
    expect(heard.of('transfer.posted', transfer.id)).toHaveLength(1);
  });

  test('when a transfer is refused, then nobody is told', async () => {
    const [ana, rui] = [await house.customer('Ana'), await house.customer('Rui')];
    const [from, to] = [(await house.open(ana)).id, (await house.open(rui)).id];
    expect((await house.send(ana, { from, to, amount: '5' })).status).toBe(422);
    const deposit = await house.fund(to, '1');
    await heard.waitFor('transfer.posted', deposit.id);
    expect(heard.all.filter(({ data }) => JSON.stringify(data).includes(`"from_account_id":${from},`))).toEqual([]);
  });
});
