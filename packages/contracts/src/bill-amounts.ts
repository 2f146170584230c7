/**
 * Computes a bill's total and what is left to pay. These functions are pure. The orders service uses them to charge, and the apps
 * use them to show prices before payment. All amounts are integer minor units (cents) as bigint. A rate is a decimal string in
 * percent with at most two places, '0' to '100'. Products are exact, and each formula rounds once, half up.
 */

/** An item of an order, as a line on the bill. Cancelled items are not on the bill. */
export type BillLine = {
  id: number;
  /** The number of units, at least 1. */
  quantity: number;
  unitPrice: bigint;
  /** The tax rate included in the price, in percent; null if no tax is included. */
  taxRate: string | null;
};

/** A discount on one line or, with `lineId: null`, on the whole bill. It never exceeds the amount that it reduces. */
export type BillDiscount = {
  id: number;
  lineId: number | null;
  /** The most that all discounts with a limit may take off together, in percent of the total price of all items on the bill. */
  limit?: string | null;
} & ({ percent: string } | { amount: bigint });

/** `count` of the `of` equal parts that a line is divided into. For `units`, `of` is the line's quantity. */
export type Piece = { lineId: number; kind: 'units' | 'parts'; count: number; of: number };

/**
 * The part of the bill that a payment covers. With `shares`, this is `count` of `of` equal shares of the amount that remained
 * when their round started.
 */
export type Coverage =
  | { by: 'lines'; pieces: readonly Piece[] }
  | { by: 'shares'; round: number; count: number; of: number }
  | { by: 'amount' };

export type PaymentStatus =
  | 'reserved'
  | 'claimed'
  | 'paid'
  | 'refunding'
  | 'refunded'
  | 'cancelled'
  | 'expired'
  | 'failed';

export type BillPayment = { id: number; status: PaymentStatus; amount: bigint; covers: Coverage };

export type BillState = {
  lines: readonly BillLine[];
  discounts: readonly BillDiscount[];
  /** The service charge, at the rate that applied when the bill was opened. `included` is false once the charge is declined. */
  serviceCharge: { rate: string; included: boolean };
  /** The bill's payments. A closed bill leaves out payments that were refunded before it was closed. */
  payments: readonly BillPayment[];
  /** True if the bill is closed. On a closed bill, payments that are refunded later still count as paid. */
  closed: boolean;
};

export type BillAmounts = {
  itemsTotal: bigint;
  discountTotal: bigint;
  serviceCharge: bigint;
  /** The difference caused by rounding, in cents. Already included in the total; may be negative. */
  rounding: bigint;
  total: bigint;
  paid: bigint;
  reserved: bigint;
  /** total − paid − reserved. A change that would make the remaining amount negative must be rejected. */
  remaining: bigint;
};

const hundredPercent = 10_000n;

/** Converts a rate to hundredths of a percent: '8.5' is 850. */
export function rateOf(percent: string): bigint {
  const [whole = '', places = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(places.padEnd(2, '0'));
}

/** Divides and rounds half up. Neither number may be negative. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const least = (first: bigint, second: bigint): bigint => (first < second ? first : second);
const most = (first: bigint, second: bigint): bigint => (first > second ? first : second);

/** Returns the largest discount, in cents, that a limit in percent allows for items of this total price. */
export const limitOf = (itemsTotal: bigint, limit: string): bigint =>
  roundHalfUp(itemsTotal * rateOf(limit), hundredPercent);

export const amountOf = ({ quantity, unitPrice }: BillLine): bigint => BigInt(quantity) * unitPrice;

/**
 * Computes how much each discount currently takes off, keyed by the discount's id. Line discounts apply first, then bill
 * discounts, each sorted by id.
 */
export function discountsOf(lines: readonly BillLine[], discounts: readonly BillDiscount[]): Map<number, bigint> {
  const inOrder = [...discounts].sort((first, second) => first.id - second.id);
  const taken = new Map<number, bigint>();
  const itemsTotal = sum(lines.map(amountOf));
  let limited = 0n;
  const take = (discount: BillDiscount, of: bigint, left: bigint): bigint => {
    const wanted = 'percent' in discount ? roundHalfUp(of * rateOf(discount.percent), hundredPercent) : discount.amount;
    const { limit = null } = discount;
    const atMost = limit === null ? left : least(left, most(limitOf(itemsTotal, limit) - limited, 0n));
    const amount = least(wanted, atMost);
    if (limit !== null) limited += amount;
    taken.set(discount.id, amount);
    return left - amount;
  };
  let rest = 0n;
  for (const line of lines) {
    const own = inOrder.filter(({ lineId }) => lineId === line.id);
    rest += own.reduce((left, discount) => take(discount, amountOf(line), left), amountOf(line));
  }
  const nets = rest; // every percentage off the whole bill is computed from this same amount
  for (const discount of inOrder) if (discount.lineId === null) rest = take(discount, nets, rest);
  return taken;
}

/** Returns each line's amount minus the line's own discounts, keyed by line id. */
export function netsOf({ lines, discounts }: Pick<BillState, 'lines' | 'discounts'>): Map<number, bigint> {
  const taken = discountsOf(lines, discounts);
  const ofLine = (line: BillLine): bigint =>
    amountOf(line) - sum(discounts.filter(({ lineId }) => lineId === line.id).map(({ id }) => taken.get(id) ?? 0n));
  return new Map(lines.map((line) => [line.id, ofLine(line)]));
}

/** Returns the payments that have reserved or paid a part of the bill. */
export const activePayments = ({ payments, closed }: BillState): BillPayment[] =>
  payments.filter(
    ({ status }) => ['reserved', 'claimed', 'paid', 'refunding'].includes(status) || (closed && status === 'refunded'),
  );

/**
 * Returns how many parts of a line are covered by active payments, and how many parts the line is divided into. If none of these
 * payments is for this line, it is divided into its units.
 */
export function settledOf(line: BillLine, active: readonly BillPayment[]): Pick<Piece, 'kind' | 'count' | 'of'> {
  const pieces = active
    .flatMap(({ covers }) => (covers.by === 'lines' ? covers.pieces : []))
    .filter(({ lineId }) => lineId === line.id);
  const count = pieces.reduce((covered, piece) => covered + piece.count, 0);
  return { kind: pieces[0]?.kind ?? 'units', count, of: pieces[0]?.of ?? line.quantity };
}

/**
 * Computes how many cents are overpaid (positive) or left over (negative) only because parts of lines were rounded. This is at
 * most half a cent per payment, plus a cent for the discounts and the service charge. Only payments for lines are rounded: if any
 * active payment covers a share or an amount, the result is 0. For a closed bill, the result is the whole difference, so that the
 * total stays what was paid.
 */
function roundingOf(bill: BillState, active: readonly BillPayment[], base: bigint): bigint {
  const difference = sum(active.map(({ amount }) => amount)) - base;
  if (bill.closed) return difference;
  if (active.some(({ covers }) => covers.by !== 'lines')) return 0n;
  const size = difference < 0n ? -difference : difference;
  if (active.length === 0 || 2n * size > BigInt(active.length) + 2n) return 0n;
  const nets = netsOf(bill);
  const isSettled = bill.lines.every((line) => {
    const { count, of } = settledOf(line, active);
    return nets.get(line.id) === 0n || count === of;
  });
  return difference > 0n || isSettled ? difference : 0n;
}

export function billAmounts(bill: BillState): BillAmounts {
  const itemsTotal = sum(bill.lines.map(amountOf));
  const discountTotal = sum([...discountsOf(bill.lines, bill.discounts).values()]);
  const goods = itemsTotal - discountTotal;
  const { rate, included } = bill.serviceCharge;
  const serviceCharge = included ? roundHalfUp(goods * rateOf(rate), hundredPercent) : 0n;
  const active = activePayments(bill);
  const rounding = roundingOf(bill, active, goods + serviceCharge);
  const total = goods + serviceCharge + rounding;
  const isHeld = ({ status }: BillPayment): boolean => status === 'reserved' || status === 'claimed';
  const reserved = sum(active.filter(isHeld).map(({ amount }) => amount));
  const paid = sum(active.map(({ amount }) => amount)) - reserved;
  return {
    itemsTotal,
    discountTotal,
    serviceCharge,
    rounding,
    total,
    paid,
    reserved,
    remaining: total - paid - reserved,
  };
}

/**
 * Splits `whole` into integers in proportion to `weights`. The integers add up to `whole`: the parts with the largest remainders
 * are rounded up.
 */
function spread(whole: bigint, weights: readonly bigint[]): bigint[] {
  const all = sum(weights);
  if (all === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (whole * weight) / all);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (whole * weight) % all }))
    .sort((first, second) => (first.remainder < second.remainder ? 1 : -Number(first.remainder > second.remainder)));
  const missing = Number(whole - sum(shares));
  for (const { index } of byRemainder.slice(0, missing)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

/**
 * Computes the included taxes by rate: round(gross × rate / (100 + rate)). Discounts on the whole bill are spread over the lines.
 * The service charge and the rounding are not included. For information only: this is not a fiscal document.
 */
export function taxesOf(bill: Pick<BillState, 'lines' | 'discounts'>): { rate: string; net: bigint; tax: bigint }[] {
  const lines = [...bill.lines].sort((first, second) => first.id - second.id); // the lower id wins a tie
  const nets = netsOf(bill);
  const taken = discountsOf(lines, bill.discounts);
  const ofBill = sum(bill.discounts.filter(({ lineId }) => lineId === null).map(({ id }) => taken.get(id) ?? 0n));
  const weights = lines.map(({ id }) => nets.get(id) ?? 0n);
  const shares = spread(ofBill, weights);
  const grossByRate = new Map<string, bigint>();
  for (const [index, { taxRate }] of lines.entries()) {
    if (taxRate === null) continue;
    const gross = (weights[index] ?? 0n) - (shares[index] ?? 0n);
    grossByRate.set(taxRate, (grossByRate.get(taxRate) ?? 0n) + gross);
  }
  return [...grossByRate].map(([rate, gross]) => {
    const tax = roundHalfUp(gross * rateOf(rate), hundredPercent + rateOf(rate));
    return { rate, net: gross - tax, tax };
  });
}
