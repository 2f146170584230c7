/**
 * A model of all states while Pix pay for a bill. It covers what orders, transfers and the bank have stored, and the calls that are
 * under way between them: each may be lost, repeated, or arrive at any later time. People may do anything at any time. Either
 * orders or transfers may be restored to a backup, once.
 */
export type PixId = 'e1' | 'e2';
/** A is the payment that the code was made for. B is the one that a manager assigns an unmatched Pix to. */
export type PaymentId = 'A' | 'B';
export type Status = 'none' | 'reserved' | 'cancelled' | 'expired' | 'paid' | 'refunding' | 'refunded';
export type Payment = { status: Status; by: PixId | 'staff' | null; refund: string | null; isPartTaken: boolean };
type Answer = 'yes' | 'no';
export type Receipt = {
  state: 'unknown' | 'settling' | 'settled' | 'unmatched' | 'refunding' | 'refunded';
  /** The payment that statements name; null if the Pix names none. */
  named: PaymentId | null;
  /** The payment that it pays, as orders has said. */
  pays: PaymentId | null;
  /** The bank has returned it, and transfers doesn't know of a refund: a person decides. */
  isReturned: boolean;
};
/** `back`: the bank has returned the money, and orders must be told. `failed`: it has not, and the receipt is settled again. */
export type Refund = { n: number; step: 'stored' | 'told' | 'sent' | 'back' | 'failed' | 'done' };
export type State = {
  A: Payment;
  B: Payment;
  decisions: Record<string, Answer>;
  hasCharge: boolean;
  money: Record<PixId, 'none' | 'right' | 'wrong'>;
  /** The refund that the bank does or has done, and how far it is; `own`: the bank returns it by itself. */
  returned: Record<PixId, { n: number | 'own'; state: 'processing' | 'done' | 'failed' } | null>;
  receipts: Record<PixId, Receipt>;
  refunds: Record<PixId, Refund | null>;
  /** How many refunds were begun. Their ids are random, so they are never used again, even after a restore. */
  begun: Record<PixId, number>;
  messages: readonly string[];
  restored: 'orders' | 'transfers' | null;
  isConfirmed: boolean;
  isRefundedByHand: boolean;
  /** The Pix that had paid A when orders was backed up. */
  wasPaidBy: PixId | null;
};
export type PixScenario = {
  pix: readonly PixId[];
  /** How many refunds each Pix may have. */
  refunds: Record<PixId, number>;
  hasWrongAmounts?: true;
  mayRestore?: 'orders' | 'transfers';
  /** Staff confirm the payment, and refund it by hand. */
  hasStaff?: true;
  /** The bank returns money by itself. */
  mayReturn?: true;
};
/** The rules that the services follow. A search without one of them must find a defect, which shows that the rule is needed. */
export const pixRules = [
  'orders stores its decision about each statement',
  'transfers waits for the decision of orders',
  'orders is told before money is returned',
  'amounts are compared',
  'a hint is no proof',
  'the sweep',
  'a refund has an id of its own',
  'a failed refund asks orders again',
  'receipts are checked again after a restore',
  'refunds are told again after a restore',
  'refund_begun is told again before refunded',
  'what is refused is looked up by its id',
] as const;
export type PixRule = (typeof pixRules)[number];
export type Has = (rule: PixRule) => boolean;

export const nothing: Payment = { status: 'none', by: null, refund: null, isPartTaken: false };
export const unknown: Receipt = { state: 'unknown', named: null, pays: null, isReturned: false };
export const first: State = {
  A: nothing,
  B: nothing,
  decisions: {},
  hasCharge: false,
  money: { e1: 'none', e2: 'none' },
  returned: { e1: null, e2: null },
  receipts: { e1: unknown, e2: unknown },
  refunds: { e1: null, e2: null },
  begun: { e1: 0, e2: 0 },
  messages: [],
  restored: null,
  isConfirmed: false,
  isRefundedByHand: false,
  wasPaidBy: null,
};
export const hasEnded: ReadonlySet<Status> = new Set(['cancelled', 'expired']);
export const hasMoney: ReadonlySet<Status> = new Set(['paid', 'refunding', 'refunded']);
export const payments = ['A', 'B'] as const;

export const pay = (state: State, id: PaymentId, change: Partial<Payment>): State => ({
  ...state,
  [id]: { ...state[id], ...change },
});
export const note = (state: State, pix: PixId, change: Partial<Receipt>): State => ({
  ...state,
  receipts: { ...state.receipts, [pix]: { ...state.receipts[pix], ...change } },
});
export const setRefund = (state: State, pix: PixId, refund: Refund | null): State => ({
  ...state,
  refunds: { ...state.refunds, [pix]: refund },
});
export const send = (state: State, message: string): State =>
  state.messages.includes(message) ? state : { ...state, messages: [...state.messages, message].toSorted() };
/** Decisions are sorted, so that their order makes no states of its own. */
const decide = (state: State, key: string, answer: Answer): State => ({
  ...state,
  decisions: Object.fromEntries(
    Object.entries({ ...state.decisions, [key]: answer }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
});
/** Returns the payment that a Pix has paid, in whatever status it is now. */
export const paidBy = (state: State, pix: PixId): PaymentId | null =>
  payments.find((id) => state[id].by === pix && hasMoney.has(state[id].status)) ?? null;
const refundKey = (pix: PixId, n: number, has: Has): string =>
  has('a refund has an id of its own') ? `${pix} ${n}` : `${pix} 1`;

/** Orders handles a statement that has arrived. */
export function deliver(state: State, message: string, has: Has): State {
  const [purpose, pix, of] = message.split(' ') as [string, PixId, string];
  const isStored = has('orders stores its decision about each statement') && state.decisions[message] !== undefined;
  if (purpose === 'payment') return isStored ? state : decidePayment(state, { message, pix, named: of, has });
  if (purpose === 'confirmation') {
    if (isStored) return state;
    const { status, isPartTaken } = state.A;
    const isPayable = status === 'reserved' || (hasEnded.has(status) && !isPartTaken);
    return decide(
      isPayable ? pay(state, 'A', { status: 'paid', by: 'staff' }) : state,
      message,
      isPayable ? 'yes' : 'no',
    );
  }
  const id = paidBy(state, pix);
  const refund = refundKey(pix, Number(of), has);
  if (purpose === 'refund_begun') {
    if (isStored && has('a refund has an id of its own')) return state;
    if (!id) return decide(state, message, 'yes');
    const may = state[id].status === 'paid' || state[id].status === 'refunding';
    return decide(may ? pay(state, id, { status: 'refunding', refund }) : state, message, may ? 'yes' : 'no');
  }
  if (isStored && has('a refund has an id of its own')) return state;
  const isOwn = id !== null && state[id].status === 'refunding' && state[id].refund === refund;
  if (!isOwn) return decide(state, message, 'yes');
  const after =
    purpose === 'refunded' ? pay(state, id, { status: 'refunded' }) : pay(state, id, { status: 'paid', refund: null });
  return decide(after, message, 'yes');
}

type PaymentMessage = { message: string; pix: PixId; named: string; has: Has };

function decidePayment(state: State, { message, pix, named, has }: PaymentMessage): State {
  const paid = paidBy(state, pix);
  const id = named as PaymentId;
  const { status, by, isPartTaken } = state[id];
  const isWrong = id === 'A' && state.money[pix] === 'wrong' && has('amounts are compared');
  if (isWrong || (paid !== null && paid !== id)) return decide(state, message, 'no');
  if (paid === id) return decide(state, message, 'yes');
  const isPayable =
    status === 'reserved' || (hasEnded.has(status) && !isPartTaken) || (status === 'paid' && by === 'staff');
  if (!isPayable) return decide(state, message, 'no');
  const after = decide(pay(state, id, { status: 'paid', by: pix }), message, 'yes');
  return id === 'A' ? { ...after, wasPaidBy: pix } : after;
}
