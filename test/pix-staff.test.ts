import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBrCode } from '@comanda/contracts/br-code';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';

const receiver = { PIX_KEY: 'ana@example.com', PIX_NAME: 'CANTINA DA ANA', PIX_CITY: 'SAO PAULO' };
let stack: Stack;
let manager: Call;
let waiter: Call;
let guest: Call;
beforeAll(async () => {
  stack = await startStackHere('pix-staff', { ...withoutLimits, ...receiver, PIX_MODE: 'staff' });
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  waiter = caller(stack.gatewayUrl, { token: (await stack.auth.waiter()).token });
  created(await manager('POST', '/menu', { body: { name: 'Feijoada', price: '50.00' } }));
  const { table_token } = (await manager('PUT', '/tables/12')).body;
  const { access_token } = (await stack.call('POST', '/auth/guest', { body: { table_token } })).body;
  guest = caller(stack.gatewayUrl, { token: access_token });
});
afterAll(() => stack.close());

test('a guest pays with a code that names the key, and a waiter confirms it', async () => {
  const { bill_id } = created(await guest('POST', '/orders', { body: { items: [{ name: 'Feijoada', quantity: 1 }] } }));
  const { remaining } = (await guest('GET', `/bills/${bill_id}`)).body;
  const reservation = { method: 'pix', part: { rest: true }, expected_amount: remaining, tip: '2.00' };
  const payment = created(await guest('POST', `/bills/${bill_id}/payments`, { body: reservation }));
  const body = { payment_id: payment.id, amount: payment.total, currency: 'BRL' };

  const charge = created(await guest('POST', '/pix/charges', { body }));
  const again = await waiter('POST', '/pix/charges', { body });

  expect((await stack.call('GET', '/pix')).body).toEqual({ mode: 'staff' });
  expect(again).toMatchObject({ status: 200, body: charge });
  expect(charge).toMatchObject({ mode: 'staff', txid: expect.stringMatching(/^[A-Za-z0-9]{25}$/) });
  expect(readBrCode(charge.code)).toEqual({
    key: 'ana@example.com',
    location: null,
    amount: payment.total,
    name: 'CANTINA DA ANA',
    city: 'SAO PAULO',
    txid: charge.txid,
  });
  expect(codeOf(await guest('POST', `/pix/charges/${payment.id}/confirm`, { body: {} }))).toBe('403 forbidden');
  const confirmed = await waiter('POST', `/pix/charges/${payment.id}/confirm`, { body: { reference: 'E123' } });
  expect(confirmed.body).toEqual({ payment_id: payment.id, confirmed_by: 'staff' });

  const paid = (await waiter('GET', `/bills/${bill_id}/payments/${payment.id}`)).body;
  expect(paid).toMatchObject({
    status: 'paid',
    reference: 'E123',
    pix: { confirmed_by: 'staff', end_to_end_id: null },
  });
  await until(async () => (await guest('GET', `/bills/${bill_id}`)).body.remaining === '0.00', { what: 'the bill' });
  const refund = `/bills/${bill_id}/payments/${payment.id}/refund`;
  expect((await manager('POST', refund, { body: { reason: 'Twice' } })).body.status).toBe('refunded');
});
