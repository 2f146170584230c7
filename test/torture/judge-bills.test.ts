import { describe, expect, test } from '@jest/globals';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import { judgeBills, type PaymentInTheEnd } from './judge-bills.ts';
import { judgePaymentWrites, type PaymentWrite } from './judge-payment-writes.ts';
import type { StreamEvent } from './judge-screens.ts';
import { nothingObserved } from './observed.ts';

describe('bill payments', () => {
  const paid = (kind: string, [id, payment]: [id: number, payment: number], amount = '32.50'): StreamEvent => ({
    offset: id,
    id: `e${id}`,
    type: 'transfer.posted',
    subject: String(id),
    rooms: [],
    data: { transfer: { id, kind, payment_id: payment, amount } },
  });
  /**
   * Creates a run in which nothing went wrong. One payer made three payments: one was paid, one was refunded, and one was
   * abandoned.
   */
  function truthOfBills() {
    const observed = nothingObserved();
    for (const id of [1, 2, 3]) observed.payments.set(id, { billId: id, account: 41, minor: 3_250 });
    observed.paid.push({ kind: 'bill_payment', paymentId: 1, transferId: 51 });
    const payments: PaymentInTheEnd[] = [
      { id: 1, status: 'paid' },
      { id: 2, status: 'refunded' },
      { id: 3, status: 'failed' },
    ];
    const stream = [paid('bill_payment', [51, 1]), paid('bill_payment', [52, 2]), paid('bill_refund', [53, 2])];
    const payers = [{ account: 41, startMinor: 10_000, balanceMinor: 6_750 }];
    return { stream, payments, payers, observed };
  }
  type Bills = ReturnType<typeof truthOfBills>;

  test('are not reported if every promise is kept', () => {
    expect(judgeBills(truthOfBills())).toEqual([]);
  });

  test.each<[what: string, mutate: (run: Bills) => Partial<Bills>, sentence: string]>([
    [
      'a payment is posted twice',
      ({ stream }) => ({ stream: [...stream, paid('bill_payment', [54, 1])] }),
      'payment 1 is paid, and 2 payments and 0 refunds are posted',
    ],
    [
      'a paid payment is not posted',
      ({ stream, observed }) => ({ stream: stream.slice(1), observed: { ...observed, paid: [] } }),
      'payment 1 is paid, and 0 payments and 0 refunds are posted',
    ],
    [
      'a payment that failed is posted',
      ({ stream }) => ({ stream: [...stream, paid('bill_payment', [54, 3])] }),
      'payment 3 is failed, and 1 payments and 0 refunds are posted',
    ],
    [
      'a payment is refunded twice',
      ({ stream }) => ({ stream: [...stream, paid('bill_refund', [54, 2])] }),
      'payment 2 is refunded, and 1 payments and 2 refunds are posted',
    ],
    [
      'a payment stays claimed',
      ({ payments }) => ({ payments: [...payments.slice(0, 2), { id: 3, status: 'claimed' }] }),
      'payment 3 is still claimed',
    ],
    [
      'another amount is posted',
      ({ stream }) => ({ stream: [paid('bill_payment', [51, 1], '3.25'), ...stream.slice(1)] }),
      'transfer 51 of payment 1 has another amount',
    ],
    [
      "a payment whose response was 201 isn't posted by that transfer",
      ({ observed }) => ({ observed: { ...observed, paid: [{ kind: 'bill_refund', paymentId: 1, transferId: 51 }] } }),
      'the bill_refund of 1 was answered 201, and is not posted',
    ],
    [
      'a payment is posted that nobody reserved',
      ({ stream }) => ({ stream: [...stream, paid('bill_payment', [54, 9])] }),
      'a payment was posted that nobody reserved: 9',
    ],
    [
      'the payer paid more',
      ({ payers }) => ({ payers: payers.map((each) => ({ ...each, balanceMinor: 3_500 })) }),
      "payer's account 41 has 3500 cents, and should have 6750",
    ],
  ])('are reported as broken, in one sentence, when %s', (_what, mutate, sentence) => {
    const run = truthOfBills();
    expect(judgeBills({ ...run, ...mutate(run) })).toEqual([sentence]);
  });
});

describe('the writes about a payment', () => {
  const payment = (status: PaymentStatus, claim: string | null = null): PaymentWrite => ({
    kind: 'payment',
    paymentId: 1,
    status,
    claim,
  });
  const attempt = (jti: string, isNoted = true): PaymentWrite => ({ kind: 'attempt', paymentId: 1, jti, isNoted });
  const row = (jti: string, decision: 'posted' | 'refused' | 'expired'): PaymentWrite => ({
    kind: 'row',
    jti,
    decision,
  });
  const [reserved, noted, claimed, wasPosted] = [
    payment('reserved'),
    attempt('a'),
    payment('claimed', 'a'),
    row('a', 'posted'),
  ];

  test.each<[what: string, writes: readonly PaymentWrite[]]>([
    ['a payment that is paid', [reserved, noted, claimed, wasPosted, payment('paid'), attempt('a', false)]],
    [
      'a payment that is given up when its token expires',
      [reserved, noted, claimed, row('a', 'expired'), payment('failed'), attempt('a', false)],
    ],
    [
      'a payment that is cancelled before it is claimed',
      [reserved, noted, payment('cancelled'), row('a', 'refused'), attempt('a', false)],
    ],
    [
      'a payment that is refunded by the second token',
      [
        reserved,
        noted,
        claimed,
        wasPosted,
        payment('paid'),
        attempt('a', false),
        attempt('b'),
        payment('refunding', 'b'),
        row('b', 'expired'),
        payment('paid'),
        attempt('b', false),
        attempt('c'),
        payment('refunding', 'c'),
        row('c', 'posted'),
        payment('refunded'),
        attempt('c', false),
      ],
    ],
  ])('break no rule for %s', (_what, writes) => {
    expect(judgePaymentWrites(writes)).toEqual([]);
  });

  test.each<[what: string, writes: readonly PaymentWrite[], sentence: string]>([
    [
      'no attempt is stored',
      [reserved, claimed, wasPosted, payment('paid')],
      'payment 1 became claimed before the attempt was stored',
    ],
    [
      'a payment is paid before the journal records it',
      [reserved, noted, claimed, payment('paid'), wasPosted, attempt('a', false)],
      'payment 1 became paid, and nothing is decided in the journal',
    ],
    [
      'a payment failed, but the money moved',
      [reserved, noted, claimed, wasPosted, payment('failed'), attempt('a', false)],
      'payment 1 became failed, and its transfer is posted',
    ],
    [
      'a payment is paid from a final state',
      [reserved, payment('cancelled'), payment('paid')],
      'payment 1 was cancelled and became paid',
    ],
    [
      'an attempt never ends',
      [reserved, noted, claimed, wasPosted, payment('paid')],
      'an attempt of payment 1 has not ended',
    ],
    [
      'an attempt ends before its claim',
      [reserved, noted, claimed, attempt('a', false), wasPosted, payment('paid')],
      'the attempt of payment 1 was removed while it is claimed',
    ],
    [
      'a token has two decisions',
      [reserved, noted, claimed, wasPosted, row('a', 'expired'), payment('failed'), attempt('a', false)],
      'token a has two decisions',
    ],
  ])('are reported as broken, in one sentence, when %s', (_what, writes, sentence) => {
    expect(judgePaymentWrites(writes)).toContain(sentence);
  });
});
