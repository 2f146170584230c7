import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { openPixRestaurant, type PixRestaurant } from './pix/pix-restaurant.ts';

let at: PixRestaurant;
beforeAll(async () => {
  at = await openPixRestaurant('pix-refunds');
});
afterEach(() => {
  at.bank.setFault(null);
  at.bank.setRefundEnd('DEVOLVIDO');
});
afterAll(() => at.close());

describe('giving a Pix back', () => {
  test('refunds its payment through the bank, once', async () => {
    const { payment, e2e } = await at.settled();
    const byHand = await at.manager('POST', `/bills/${payment.bill_id}/payments/${payment.id}/refund`, {
      body: { reason: 'Twice' },
    });
    expect([codeOf(byHand), byHand.body.end_to_end_id]).toEqual(['409 refund_by_pix', e2e]);
    expect(codeOf(await at.giveBack(e2e, '1.00'))).toBe('422 amount_mismatch');

    const first = await at.giveBack(e2e, payment.total, { key: 'back-1' });

    expect(first.status).toBe(201);
    expect(first.body.refunds).toMatchObject([
      { id: expect.stringMatching(/^R[A-Za-z0-9]{31}$/), by: { name: 'Marta' } },
    ]);
    await at.untilState(e2e, 'refunded');
    expect(await at.paymentNow(payment)).toMatchObject({ status: 'refunded', refund: { method: 'pix' } });
    expect(at.bank.returned(e2e)).toBe(Number(payment.total) * 100);
    const again = await at.giveBack(e2e, payment.total, { key: 'back-1' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(codeOf(await at.giveBack(e2e, payment.total))).toBe('409 pix_receipt_state');
    expect(at.bank.returned(e2e)).toBe(Number(payment.total) * 100);
  });

  test('is the same refund for all requests with one key, which is for this Pix only', async () => {
    const [first, other] = [await at.settled(), await at.settled()];
    const { e2e, payment } = first;
    const tokens = [await at.consent(e2e, payment.total), await at.consent(e2e, payment.total)];

    const both = await Promise.all(tokens.map((token) => at.giveBack(e2e, payment.total, { key: 'back-2', token })));

    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(1);
    await at.untilState(e2e, 'refunded');
    expect((await at.receiptNow(e2e)).refunds).toHaveLength(1);
    const elsewhere = await at.giveBack(other.e2e, other.payment.total, { key: 'back-2' });
    expect(codeOf(elsewhere)).toBe('422 idempotency_key_reused');
    expect((await at.receiptNow(other.e2e)).state).toBe('settled');
  });

  test('needs the PIN', async () => {
    const { payment, e2e } = await at.settled();

    const response = await at.manager('POST', `/pix/receipts/${e2e}/refunds`, {
      body: { amount: payment.total, currency: 'BRL' },
    });

    expect(codeOf(response)).toBe('401 step_up_required');
    expect((await at.receiptNow(e2e)).state).toBe('settled');
  });

  test('works for a Pix that matches nothing', async () => {
    const { charge } = await at.charged();
    const e2e = at.bank.pay({ txid: charge.txid, amount: '2.00' });
    await at.untilState(e2e, 'unmatched');

    created(await at.giveBack(e2e, '2.00'));

    await at.untilState(e2e, 'refunded');
    expect(at.bank.returned(e2e)).toBe(200);
  });

  test('that the bank does not do leaves the payment paid', async () => {
    const { payment, e2e } = await at.settled();
    at.bank.setRefundEnd('NAO_REALIZADO');

    created(await at.giveBack(e2e, payment.total));

    await at.untilState(e2e, 'settled');
    expect((await at.receiptNow(e2e)).refunds).toMatchObject([{ status: 'failed' }]);
    expect(await at.paymentNow(payment)).toMatchObject({
      status: 'paid',
      pix: { confirmed_by: 'bank', end_to_end_id: e2e },
    });
  });

  test('survives lost, repeated and missing answers', async () => {
    const { payment, e2e } = await at.settled();
    const faults = ['lost', { status: 503 }, 'repeat', { status: 429, retryAfter: 1 }, 'lost'] as const;
    let count = 0;
    at.bank.setFault(({ path }) => (path.includes('/devolucao/') ? (faults[count++] ?? null) : null));

    created(await at.giveBack(e2e, payment.total));

    await at.untilState(e2e, 'refunded', 20_000);
    expect(count).toBeGreaterThan(2);
    expect(at.bank.returned(e2e)).toBe(Number(payment.total) * 100);
    expect((await at.paymentNow(payment)).status).toBe('refunded');
  });

  test('does not count as failed while the bank does not say what became of it', async () => {
    const { payment, e2e } = await at.settled();
    let asked = 0;
    at.bank.setFault(({ method, path }) => {
      if (!path.includes('/devolucao/')) return null;
      if (method === 'GET' && asked++ < 2) return { status: 403 };
      return method === 'PUT' && asked < 3 ? { status: 400 } : null;
    });

    created(await at.giveBack(e2e, payment.total));

    await at.untilState(e2e, 'refunded', 20_000);
    expect(asked).toBeGreaterThan(2);
    expect((await at.receiptNow(e2e)).refunds).toMatchObject([{ status: 'done' }]);
    expect((await at.paymentNow(payment)).status).toBe('refunded');
  });

  test('sends only what the bank has not returned by itself', async () => {
    const { payment, e2e } = await at.settled();
    at.bank.returnByItself(e2e, '10.00');
    await at.stack.call('POST', '/pix-hints', { body: { pix: [{ endToEndId: e2e }] } });
    await until(async () => (await at.receiptNow(e2e)).reason === 'returned', {
      what: 'the return',
      timeoutMs: 10_000,
    });
    expect((await at.receiptNow(e2e)).state).toBe('settled');

    created(await at.giveBack(e2e, payment.total));

    await at.untilState(e2e, 'refunded');
    expect(at.bank.returned(e2e)).toBe(Number(payment.total) * 100);
    const all = await at.settled();
    at.bank.returnByItself(all.e2e);
    const puts = at.bank.requests.filter((each) => each.startsWith('PUT /v2/pix/')).length;
    created(await at.giveBack(all.e2e, all.payment.total));
    await at.untilState(all.e2e, 'refunded');
    expect(at.bank.requests.filter((each) => each.startsWith('PUT /v2/pix/')).length).toBe(puts);
    expect((await at.paymentNow(all.payment)).status).toBe('refunded');
  });
});

describe('whoever can write to the database', () => {
  /** Waits until transfers has looked at a receipt and left it out for a minute. */
  const untilLeftOut = (e2e: string): Promise<unknown> =>
    until(async () => Number((await at.stored.receipts.findOne({ _id: e2e }))?.next_at) > Date.now() + 30_000, {
      what: 'the receipt to be left out',
      timeoutMs: 20_000,
    });

  test("can't make a payment look refunded", async () => {
    const { payment, e2e } = await at.settled();
    const by = { id: 1, name: 'Marta', role: 'manager' };
    const refund = { id: `R${'x'.repeat(31)}`, status: 'done', at: new Date(), by, consent: 'a.b.c', jti: 'j' };

    await at.stored.receipts.updateOne(
      { _id: e2e },
      { $set: { state: 'refunded', refunds: [refund], tells_again: true, next_at: new Date() } },
    );

    await untilLeftOut(e2e);
    expect((await at.paymentNow(payment)).status).toBe('paid');
  });

  test("can't turn the PIN for a small Pix into the refund of a large one", async () => {
    const { payment, e2e } = await at.settled();
    await at.stored.receipts.updateOne({ _id: e2e }, { $set: { amount: '5.00' } });

    created(await at.giveBack(e2e, '5.00'));

    await untilLeftOut(e2e);
    expect(at.bank.returned(e2e)).toBe(0);
    expect((await at.paymentNow(payment)).status).toBe('paid');
  });

  test("can't send guests' money to another code", async () => {
    const { payment, charge } = await at.charged();
    const other = await at.charged();
    const codes = at.stored.charges;
    const sealed = (await codes.findOne({ _id: other.payment.id }))?.['code'] as string;

    for (const code of ['00020126580014br.gov.bcb.pix', sealed]) {
      await codes.updateOne({ _id: payment.id }, { $set: { code } });

      expect((await at.ask(payment)).body).toEqual(charge);
      expect(codeOf(await at.waiter('GET', `/pix/charges/${payment.id}`))).toBe('404 not_found');
    }
  });
});
