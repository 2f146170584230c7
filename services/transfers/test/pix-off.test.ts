import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, type Call } from '@comanda/testing/call';
import { startTransfersHarness, type TransfersHarness } from './support/harness.ts';

let harness: TransfersHarness;
let anyone: Call;
beforeAll(async () => {
  harness = await startTransfersHarness('pix-off');
  anyone = caller(harness.url);
});
afterAll(() => harness.close());

describe('without Pix', () => {
  test('everyone is told, and no code is created', async () => {
    const body = { payment_id: 1, amount: '1.00', currency: 'BRL' };

    expect((await anyone('GET', '/pix')).body).toEqual({ mode: 'off' });
    expect(codeOf(await harness.manager.call('POST', '/pix/charges', { body }))).toBe('403 pix_off');
    expect(codeOf(await harness.manager.call('GET', '/pix/charges/1'))).toBe('404 not_found');
    expect((await harness.manager.call('GET', '/pix/receipts')).body).toEqual([]);
  });

  test.each([
    ['nothing', undefined, {}],
    ['a text', 'hello', { 'content-type': 'text/plain' }],
    ['broken JSON', '{"pix":[', { 'content-type': 'application/json' }],
    ['64 KB', 'x'.repeat(64 * 1024), { 'content-type': 'application/octet-stream' }],
  ])('a hint with %s is 200', async (_what, body, headers) => {
    for (const path of ['/pix-hints', '/pix-hints/pix']) {
      const response = await fetch(harness.url + path, {
        method: 'POST',
        ...(body !== undefined && { body }),
        headers,
      });

      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
  });

  test('late money is assigned once orders responds, and stays unmatched if only orders knows the payment', async () => {
    type Stored = { _id: string | number; [field: string]: unknown };
    const [e2e, now] = ['E00000000202611202100abcdef12345', new Date()];
    const receipt = { _id: e2e, amount: '1.00', received_at: now, state: 'unmatched', refunds: [], version: 1 };
    await harness.db.collection<Stored>('pix_receipts').insertOne({ ...receipt, outbox: [] });
    const charge = { _id: 2, payment_created_at: now, mode: 'staff', txid: 'a', amount: '1.00', expires_at: now };
    await harness.db.collection<Stored>('pix_charges').insertOne(charge);
    const assign = (id: number) =>
      harness.manager.call('POST', `/pix/receipts/${e2e}/assign`, { body: { payment_id: id } });

    // There is no orders in this test.
    const response = await assign(1);
    expect(codeOf(response)).toBe('503 service_unavailable');
    expect(response.body).not.toHaveProperty('outcome');
    expect((await harness.manager.call('GET', `/pix/receipts/${e2e}`)).body).toMatchObject({ state: 'unmatched' });
    expect((await assign(2)).body).toMatchObject({ state: 'settling', payment_id: 2 });
    await harness.db.collection<Stored>('pix_receipts').deleteOne({ _id: e2e });
    await harness.db.collection<Stored>('pix_charges').deleteOne({ _id: 2 });
  });

  test('a hint of more than 64 KB is 413', async () => {
    const response = await fetch(`${harness.url}/pix-hints`, { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) });

    expect(response.status).toBe(413);
  });
});
