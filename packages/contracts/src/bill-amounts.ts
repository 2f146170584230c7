/**
 * What a bill comes to, and what is left of it. Pure functions, for the service that charges and for the apps that show
 * a price before it is paid. All amounts are integer minor units (cents) as bigint; a rate is a decimal string of percent
 * with at most two places, '0' to '100'. Products are exact, and each formula rounds once, half up.
 */

/** An item of an order on its bill. Cancelled items are not on the bill. */
export type BillLine = {
  id: number;
  /** At least 1. */
  quantity: number;
  unitPrice: bigint;
  /** The tax that the price contains, in percent, or null. */
  taxRate: string | null;
};

/** Of one line, or, with `lineId: null`, of the whole bill. An amount that is more than is left takes what is left. */
export type BillDiscount = {
  id: number;
  lineId: number | null;
  /** All discounts with a limit together take at most so much of the items that are on the bill now, in percent. */
  limit?: string | null;
} & ({ percent: string } | { amount: bigint });

/** `count` of the `of` equal parts of a line. Units are parts too: as many as the line's quantity. */
export type Piece = { lineId: number; kind: 'units' | 'parts'; count: number; of: number };

/** What a payment pays. Shares of a round are shares of what remained when they were paid. */
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
  /** The rate that was in force when the bill began. */
  serviceCharge: { rate: string; included: boolean };
  /** Of a closed bill, without those that were refunded before it was closed. */
  payments: readonly BillPayment[];
  /** On a closed bill, what was refunded since counts as paid. */
  closed: boolean;
};

export type BillAmounts = {
  itemsTotal: bigint;
  discountTotal: bigint;
  serviceCharge: bigint;
  /** May be negative. */
  rounding: bigint;
  total: bigint;
  paid: bigint;
  reserved: bigint;
  /** total − paid − reserved. Below 0 after a change that must be refused. */
  remaining: bigint;
};

const hundredPercent = 10_000n;

/** A rate as hundredths of a percent: '8.5' is 850. */
export function rateOf(percent: string): bigint {
  const [whole = '', places = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(places.padEnd(2, '0'));
}

/** numerator / denominator, rounded half up. Neither may be negative. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const least = (first: bigint, second: bigint): bigint => (first < second ? first : second);
const most = (first: bigint, second: bigint): bigint => (first > second ? first : second);

/** How much of the items a limit in percent allows to discount. */
export const limitOf = (itemsTotal: bigint, limit: string): bigint =>
  roundHalfUp(itemsTotal * rateOf(limit), hundredPercent);

export const amountOf = ({ quantity, unitPrice }: BillLine): bigint => BigInt(quantity) * unitPrice;

/** What each discount takes now, by its id: those of lines first, then those of the bill, each in the order of ids. */
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
  const nets = rest; // each percent of the whole bill is of the same sum
  for (const discount of inOrder) if (discount.lineId === null) rest = take(discount, nets, rest);
  return taken;
}

/** A line's amount less its own discounts. */
export function netsOf({ lines, discounts }: Pick<BillState, 'lines' | 'discounts'>): Map<number, bigint> {
  const taken = discountsOf(lines, discounts);
  const ofLine = (line: BillLine): bigint =>
    amountOf(line) - sum(discounts.filter(({ lineId }) => lineId === line.id).map(({ id }) => taken.get(id) ?? 0n));
  return new Map(lines.map((line) => [line.id, ofLine(line)]));
}

/** Payments that hold or have paid a part of the bill. */
export const activePayments = ({ payments, closed }: BillState): BillPayment[] =>
  payments.filter(
    ({ status }) => ['reserved', 'claimed', 'paid', 'refunding'].includes(status) || (closed && status === 'refunded'),
  );

/** How many of its parts active payments by lines cover, and how the line is parted: by its quantity if by nothing else. */
export function settledOf(line: BillLine, active: readonly BillPayment[]): Pick<Piece, 'kind' | 'count' | 'of'> {
  const pieces = active
    .flatMap(({ covers }) => (covers.by === 'lines' ? covers.pieces : []))
    .filter(({ lineId }) => lineId === line.id);
  const count = pieces.reduce((covered, piece) => covered + piece.count, 0);
  return { kind: pieces[0]?.kind ?? 'units', count, of: pieces[0]?.of ?? line.quantity };
}

/**
 * Cents that are left or too much because parts of lines were rounded: half a cent for each payment, and a cent for the
 * discounts and the service charge. Whatever else was paid was paid exactly, so beside it nothing is called rounding. What a
 * closed bill comes to stays.
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

/** Shares of `whole` in the ratio of `weights`, whole units that add up to it: the largest remainders get one more. */
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
 * The taxes that the prices contain, by rate: round(gross × rate / (100 + rate)). Discounts of the whole bill are spread
 * over the lines; the service charge and the rounding are not in it. For information: not a fiscal document.
 */
export function taxesOf(bill: Pick<BillState, 'lines' | 'discounts'>): { rate: string; net: bigint; tax: bigint }[] {
  const lines = [...bill.lines].sort((first, second) => first.id - second.id); // ties go to the lower id
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
