import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readBrCode } from '@comanda/contracts/br-code';
import { codeOf, created, type Call } from '@comanda/testing/call';
import { openPixRestaurant, type PixRestaurant } from './pix/pix-restaurant.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;

let at: PixRestaurant;
beforeAll(async () => {
  at = await openPixRestaurant('pix');
});
afterEach(() => {
  at.bank.setFault(null);
  at.bank.setRefundEnd('DEVOLVIDO');
});
afterAll(() => at.close());

describe('a Pix code', () => {
  test('is created once, and is the same on every phone', async () => {
    const payment = await at.reserve();

    const all = await Promise.all(Array.from({ length: 4 }, () => at.ask(payment)));

    expect(all.map(({ status }) => `${status}`).toSorted()).toEqual(['200', '200', '200', '201']);
    const [first] = all;
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(first?.body).toMatchObject({
      payment_id: payment.id,
      amount: payment.total,
      mode: 'bank',
      expires_at: payment.expires_at,
      txid: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    expect(readBrCode(first?.body.code)).toMatchObject({ location: expect.stringContaining('pix.example.com') });
    expect((await at.waiter('GET', `/pix/charges/${payment.id}`)).body).toEqual(first?.body);
    expect((await at.stack.call('GET', '/pix')).body).toEqual({ mode: 'bank' });
  });

  test('is only for those who can read the bill', async () => {
    const { payment } = await at.charged();
    const stranger = await at.newCustomer('Eva');

    expect(codeOf(await at.ask(payment, stranger))).toBe('404 not_found');
    expect(codeOf(await stranger('GET', `/pix/charges/${payment.id}`))).toBe('404 not_found');
    expect(codeOf(await at.waiter('GET', '/pix/charges/99999999'))).toBe('404 not_found');
  });

  test('is for a reserved payment and its total, and stays after it has ended', async () => {
    const { payment, charge } = await at.charged();
    const other = await at.reserve();

    const wrong = await at.ask(other, at.payerOf(other), { amount: '49.00' });

    expect([codeOf(wrong), wrong.body.total]).toEqual(['422 amount_mismatch', other.total]);
    const cancel = `/bills/${other.bill_id}/payments/${other.id}/cancel`;
    await at.payerOf(other)('POST', cancel, { body: {} });
    expect(codeOf(await at.ask(other))).toBe('409 payment_not_payable');
    await at.payerOf(payment)('POST', `/bills/${payment.bill_id}/payments/${payment.id}/cancel`, { body: {} });
    expect((await at.ask(payment)).body).toEqual(charge);
  });

  test('survives a bank that answers late, twice or not at all', async () => {
    const payment = await at.reserve();
    const faults = [{ status: 503 }, 'lost', { status: 429 }] as const;
    let count = 0;
    at.bank.setFault(({ method }) => (method === 'PUT' ? (faults[count++] ?? null) : null));

    const answers = [];
    while (answers.at(-1)?.status !== 201 && answers.length < 5) answers.push(await at.ask(payment));

    // After the lost answer, the bank knows the charge: it is not created again.
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 201]);
    expect(at.bank.requests.filter((each) => each.startsWith('PUT /v2/cob/')).length).toBeGreaterThan(1);
    const e2e = at.bank.pay({ txid: answers.at(-1)?.body.txid });
    await at.untilState(e2e, 'settled');
  });

  test('is refused within 2 s by a bank that hangs, which slows nothing else', async () => {
    const payments = [await at.reserve(), await at.reserve(), await at.reserve()];
    at.bank.setFault(({ path }) => (path.startsWith('/v2/') ? 'hang' : null));
    const startedAt = performance.now();

    const charges = Promise.all(payments.map((payment) => at.ask(payment)));
    const accounts = await at.manager('GET', '/accounts');
    const accountsMs = performance.now() - startedAt;

    expect((await charges).map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(accounts.status).toBe(200);
    expect(accountsMs).toBeLessThan(1000);
  });

  test('is not created if the bank refuses it, or has closed it', async () => {
    const [refused, other] = [await at.reserve(), await at.reserve()];
    at.bank.setFault(({ method, path }) => (method === 'PUT' && path.includes('/cob/') ? { status: 400 } : null));
    expect(codeOf(await at.ask(refused))).toBe('503 service_unavailable');
    at.bank.setFault(({ method }) => (method === 'PUT' ? 'lost' : null));
    expect(codeOf(await at.ask(other))).toBe('503 service_unavailable');
    at.bank.setFault(null);
    expect((await at.waiter('GET', `/pix/charges/${other.id}`)).status).toBe(404);
  });

  test('is limited to ten a minute for each user', async () => {
    const greedy = await at.newCustomer('Gil');
    const answers = [];
    for (let n = 0; n < 11; n++)
      answers.push(await greedy('POST', '/pix/charges', { body: { payment_id: 1, amount: '1.00', currency: 'BRL' } }));

    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a Pix that the bank has received', () => {
  test('pays its payment', async () => {
    const { payment, charge } = await at.charged();

    const e2e = at.bank.payCode(charge.code);
    await at.untilStatus(payment, 'paid');

    expect((await at.paymentNow(payment)).pix).toEqual({ confirmed_by: 'bank', end_to_end_id: e2e });
    expect((await at.payerOf(payment)('GET', `/bills/${payment.bill_id}`)).body).toMatchObject({ remaining: '0.00' });
    await at.untilState(e2e, 'settled');
    const receipt = await at.receiptNow(e2e);
    expect(receipt).toMatchObject({
      end_to_end_id: e2e,
      amount: payment.total,
      txid: charge.txid,
      payment_id: payment.id,
      reason: null,
      dismissed: null,
      refunds: [],
    });
    expect(JSON.stringify(receipt)).not.toContain('Fulano');
  });

  test('is listed if it matches no payment, until a manager assigns it', async () => {
    const { payment, charge } = await at.charged();
    const [wrong, second] = [
      at.bank.pay({ txid: charge.txid, amount: '0.01' }),
      at.bank.pay({ txid: charge.txid, note: 'Oi' }),
    ];
    await at.untilState(wrong, 'unmatched');
    await at.untilState(second, 'settled');
    const third = at.bank.pay({ txid: charge.txid });
    const fourth = at.bank.pay({ amount: '7.00' });
    await at.untilState(third, 'unmatched');
    await at.untilState(fourth, 'unmatched');

    const { body: list } = await at.manager('GET', '/pix/receipts?state=unmatched,dismissed&limit=200');

    const rows = list.filter(({ end_to_end_id: id }: Json) => [wrong, third, fourth].includes(id));
    expect(new Set(rows.map(({ reason, payment_id }: Json) => `${reason} ${payment_id}`))).toEqual(
      new Set([`wrong_amount ${payment.id}`, `already_paid ${payment.id}`, 'no_charge null']),
    );
    expect((await at.receiptNow(second)).note).toBe('Oi');
    const other = await at.reserve();
    const assign = (id: number) => at.manager('POST', `/pix/receipts/${third}/assign`, { body: { payment_id: id } });
    expect((await assign(99_999_999)).body).toMatchObject({
      state: 'unmatched',
      reason: 'not_found',
      payment_id: 99_999_999,
    });
    expect((await assign(other.id)).body).toMatchObject({ state: 'settled', reason: null, payment_id: other.id });
    expect(await at.paymentNow(other)).toMatchObject({
      status: 'paid',
      pix: { confirmed_by: 'bank', end_to_end_id: third },
    });
    const { body: exceptions } = await at.manager('GET', '/exceptions?kind=pix_assigned');
    expect(exceptions[0]).toMatchObject({ bill_id: other.bill_id, by: { name: 'Marta' } });
    const again = await assign(other.id);
    expect([codeOf(again), again.body.state]).toEqual(['409 pix_receipt_state', 'settled']);
  });

  test('can be dismissed, and assigned later', async () => {
    await at.charged(); // while a code is open, the bank is asked every second
    const e2e = at.bank.pay({ amount: '3.00' });
    await at.untilState(e2e, 'unmatched');

    const dismissed = await at.manager('POST', `/pix/receipts/${e2e}/dismiss`, { body: { reason: 'Rent' } });

    expect(dismissed.body).toMatchObject({ state: 'dismissed', dismissed: { reason: 'Rent', by: { name: 'Marta' } } });
    const again = await at.manager('POST', `/pix/receipts/${e2e}/dismiss`, { body: { reason: 'Rent' } });
    expect(codeOf(again)).toBe('409 pix_receipt_state');
    const { id } = await at.reserve();
    const assigned = await at.manager('POST', `/pix/receipts/${e2e}/assign`, { body: { payment_id: id } });
    expect(assigned.body).toMatchObject({ state: 'unmatched', reason: 'wrong_amount', payment_id: id });
  });

  test('is found without hints, and after the bank was down', async () => {
    const { payment, charge } = await at.charged();
    at.bank.setHintUrl('http://127.0.0.1:1');
    at.bank.setFault(() => ({ status: 503, retryAfter: 1 }));
    const e2e = at.bank.pay({ txid: charge.txid });
    await sleep(2500);
    expect((await at.paymentNow(payment)).status).toBe('reserved');

    at.bank.setFault(null);

    await at.untilStatus(payment, 'paid');
    expect((await at.receiptNow(e2e)).state).toBe('settled');
    at.bank.setHintUrl(`${at.stack.gatewayUrl}/pix-hints`);
  });

  test('to another key, or from a forged hint, is nothing', async () => {
    const { payment, charge } = await at.charged();
    const foreign = at.bank.pay({ txid: charge.txid, key: 'another@key' });
    const forged = { pix: [{ endToEndId: `E${'9'.repeat(31)}`, txid: charge.txid, valor: payment.total }] };

    const hinted = await at.stack.call('POST', '/pix-hints', { body: forged });
    await sleep(2500);

    expect(hinted.status).toBe(200);
    expect((await at.manager('GET', `/pix/receipts/${foreign}`)).status).toBe(404);
    expect((await at.paymentNow(payment)).status).toBe('reserved');
  });

  test('has pages, newest first', async () => {
    await at.settled();
    await at.settled();

    const first = await at.manager('GET', '/pix/receipts?limit=1');
    const [, next = ''] = /<(.*)>/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await at.manager('GET', next);

    expect([first.body.length, second.body.length]).toEqual([1, 1]);
    expect(first.body[0].received_at >= second.body[0].received_at).toBe(true);
    expect(first.body[0].end_to_end_id).not.toBe(second.body[0].end_to_end_id);
  });
});

describe('a confirmation by hand', () => {
  test("of a bank's charge is for managers, until the bank shows its Pix", async () => {
    const { payment, charge } = await at.charged();
    const confirm = (call: Call) => call('POST', `/pix/charges/${payment.id}/confirm`, { body: {} });

    expect(codeOf(await confirm(at.waiter))).toBe('403 forbidden');
    expect((await confirm(at.manager)).body).toEqual({ payment_id: payment.id, confirmed_by: 'staff' });
    expect((await at.paymentNow(payment)).pix).toEqual({ confirmed_by: 'staff', end_to_end_id: null });
    const e2e = at.bank.pay({ txid: charge.txid });
    await at.untilState(e2e, 'settled');

    expect((await at.paymentNow(payment)).pix).toEqual({ confirmed_by: 'bank', end_to_end_id: e2e });
    expect((await confirm(at.manager)).body.confirmed_by).toBe('bank');
  });

  test('says that the bank was first, even before transfers has stored what orders has decided', async () => {
    const { payment, e2e } = await at.settled();
    at.bank.setFault(() => ({ status: 503 }));
    await at.stored.receipts.updateOne({ _id: e2e }, { $set: { state: 'settling' } });

    const { body } = await at.manager('POST', `/pix/charges/${payment.id}/confirm`, { body: {} });

    expect(body).toEqual({ payment_id: payment.id, confirmed_by: 'bank' });
  });

  test('of a payment without a code is 404, and of one that is refunded 409', async () => {
    const payment = await at.reserve();
    const confirm = (id: number) => at.manager('POST', `/pix/charges/${id}/confirm`, { body: {} });
    expect(codeOf(await confirm(payment.id))).toBe('404 not_found');

    const { payment: paid, e2e } = await at.settled();
    created(await at.giveBack(e2e, paid.total));
    await at.untilState(e2e, 'refunded');

    const response = await confirm(paid.id);
    expect([codeOf(response), response.body.payment_status]).toEqual(['409 payment_not_payable', 'refunded']);
  });
});
