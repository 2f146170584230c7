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

  test('a hint of more than 64 KB is 413', async () => {
    const response = await fetch(`${harness.url}/pix-hints`, { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) });

    expect(response.status).toBe(413);
  });
});
