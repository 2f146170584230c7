import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import type { Observed } from './observed.ts';
import type { StreamEvent } from './judge-screens.ts';

/** A payment and its status at the end of the run, according to orders. */
export type PaymentInTheEnd = { id: number; status: PaymentStatus };
/** A payer's account, from which only bills were paid. Amounts are in cents. */
export type PayerInTheEnd = { account: number; startMinor: number; balanceMinor: number };

/** How many payments and how many refunds must have been posted for a payment with this final status. */
const postedFor: Partial<Record<PaymentStatus, readonly [payments: number, refunds: number]>> = {
  reserved: [0, 0],
  cancelled: [0, 0],
  expired: [0, 0],
  failed: [0, 0],
  paid: [1, 0],
  refunded: [1, 1],
};
/** Returns true if a payment's status is final, so that no service is working on the payment any longer. */
export const hasEnded = ({ status }: PaymentInTheEnd): boolean => postedFor[status] !== undefined;

type Kind = 'bill_payment' | 'bill_refund';
type PostedTransfer = { id: number; kind?: string; payment_id?: number | null; amount: string };
type Judged = {
  stream: readonly StreamEvent[];
  payments: readonly PaymentInTheEnd[];
  payers: readonly PayerInTheEnd[];
  observed: Pick<Observed, 'payments' | 'paid' | 'unknownPayments'>;
};

/**
 * Checks payments from accounts. A payment is paid if exactly one transfer with its amount was posted, and refunded if there was
 * also a refund. No payment stays in an intermediate status. Every payment for which a client got a 201 was posted. Each payer
 * has the right balance. Returns a sentence for each violation.
 */
export function judgeBills({ stream, payments, payers, observed }: Judged): string[] {
  const posted = Map.groupBy(transfersOfBills(stream), ({ payment_id: payment }) => payment ?? 0);
  const of = (paymentId: number, kind: Kind): PostedTransfer[] =>
    (posted.get(paymentId) ?? []).filter((each) => each.kind === kind);
  const broken = payments.flatMap(({ id, status }) => {
    const expected = postedFor[status];
    if (!expected) return [`payment ${id} is still ${status}`];
    const counts = [of(id, 'bill_payment').length, of(id, 'bill_refund').length];
    const agreed = observed.payments.get(id)?.minor;
    const wrong = (posted.get(id) ?? []).filter(({ amount }) => minorOf(amount) !== agreed);
    return [
      ...(counts.join() === expected.join()
        ? []
        : [`payment ${id} is ${status}, and ${counts[0]} payments and ${counts[1]} refunds are posted`]),
      ...wrong.map((each) => `transfer ${each.id} of payment ${id} has another amount`),
    ];
  });
  const unposted = observed.paid.filter(
    ({ kind, paymentId, transferId }) => !of(paymentId, kind).some(({ id }) => id === transferId),
  );
  const unknown = [...posted.keys()].filter((id) => !observed.payments.has(id));
  return [
    ...broken,
    ...unposted.map(({ kind, paymentId }) => `the ${kind} of ${paymentId} was answered 201, and is not posted`),
    ...(observed.unknownPayments === 0 ? unknown.map((id) => `a payment was posted that nobody reserved: ${id}`) : []),
    ...payers.flatMap((payer) => judgePayer(payer, payments, observed)),
  ];
}

function judgePayer(
  { account, startMinor, balanceMinor }: PayerInTheEnd,
  payments: readonly PaymentInTheEnd[],
  observed: Pick<Observed, 'payments'>,
): string[] {
  const paid = payments
    .filter(({ status }) => status === 'paid')
    .map(({ id }) => observed.payments.get(id))
    .filter((each) => each?.account === account);
  const expected = paid.reduce((rest, each) => rest - (each?.minor ?? 0), startMinor);
  return balanceMinor === expected
    ? []
    : [`payer's account ${account} has ${balanceMinor} cents, and should have ${expected}`];
}

/** Returns each posted transfer for a bill only once, even if its event was published repeatedly. */
function transfersOfBills(stream: readonly StreamEvent[]): PostedTransfer[] {
  const transfers = stream
    .filter(({ type }) => type === 'transfer.posted')
    .map(({ data }) => (data as { transfer: PostedTransfer }).transfer)
    .filter(({ kind }) => kind === 'bill_payment' || kind === 'bill_refund');
  return [...new Map(transfers.map((each) => [each.id, each])).values()];
}

const minorOf = (amount: string): number => Math.round(Number(amount) * 100);
