import {
  activePayments,
  billAmounts,
  netsOf,
  roundHalfUp,
  settledOf,
  type BillLine,
  type BillPayment,
  type BillState,
  type Coverage,
  type Piece,
} from './bill-amounts.ts';

/**
 * A payer's choice for a line: everything that isn't paid yet, a number of units, or a number of `of` equal parts of the whole
 * line.
 */
export type LineChoice = { lineId: number } & ({ quantity?: number } | { parts: number; of: number });

/** The part of a bill that a payer wants to pay. */
export type BillPart =
  | { rest: true }
  | { shares: number; of: number }
  | { amount: bigint }
  | { lines: readonly LineChoice[] };

export type PricedPart = { kind: 'priced'; amount: bigint; covers: Coverage };

/**
 * Why a part of a bill can't be paid: one of its dishes or shares isn't available, its amount is above what remains, or it costs
 * nothing.
 */
export type PartRefusal =
  | { kind: 'bill_split_conflict'; lineId?: number; sharesOf?: number; sharesTaken?: number }
  | { kind: 'amount_exceeds_remaining'; remaining: bigint }
  | { kind: 'nothing_to_pay' };

type SharesPayment = BillPayment & { covers: Extract<Coverage, { by: 'shares' }> };
const isByShares = (payment: BillPayment): payment is SharesPayment => payment.covers.by === 'shares';

/**
 * Returns the current round of shares: how many shares it has and how many are taken. The first active share sets the number of
 * shares. After all shares are taken, paying a share of what was ordered since then starts the next round.
 */
export function runningShares(bill: BillState): { round: number; of: number | null; taken: number } {
  const active = activePayments(bill).filter(isByShares);
  const round = Math.max(0, ...active.map(({ covers }) => covers.round));
  const running = active.filter(({ covers }) => covers.round === round);
  const taken = running.reduce((count, { covers }) => count + covers.count, 0);
  return { round, of: running[0]?.covers.of ?? null, taken };
}

function priceShares(bill: BillState, { shares, of }: { shares: number; of: number }): PricedPart | PartRefusal {
  const { remaining } = billAmounts(bill);
  const running = runningShares(bill);
  const isNewRound = running.of === null || (running.taken === running.of && remaining > 0n);
  const taken = isNewRound ? 0 : running.taken;
  const open = of - taken;
  if ((!isNewRound && running.of !== of) || shares > open)
    return { kind: 'bill_split_conflict', sharesOf: running.of ?? of, sharesTaken: running.taken };
  const everUsed = bill.payments.filter(isByShares).map(({ covers }) => covers.round);
  const round = isNewRound ? Math.max(0, ...everUsed) + 1 : running.round;
  const [count, openShares] = [BigInt(shares), BigInt(open)];
  const extra = remaining % openShares;
  const amount = count * (remaining / openShares) + (count < extra ? count : extra);
  return { kind: 'priced', amount, covers: { by: 'shares', round, count: shares, of } };
}

/**
 * Returns the piece of a line that a choice covers; null if too little of the line is unpaid, or if the line is already split
 * differently.
 */
function piecesOf(line: BillLine, choice: LineChoice, active: readonly BillPayment[]): Piece | null {
  const settled = settledOf(line, active);
  const open = settled.of - settled.count;
  if ('parts' in choice) {
    const isUntouched = settled.count === 0;
    if (!isUntouched && (settled.kind !== 'parts' || settled.of !== choice.of)) return null;
    const free = isUntouched ? choice.of : open;
    return choice.parts <= free ? { lineId: line.id, kind: 'parts', count: choice.parts, of: choice.of } : null;
  }
  if (choice.quantity !== undefined && settled.kind === 'parts') return null;
  const count = choice.quantity ?? open;
  return count > 0 && count <= open ? { lineId: line.id, kind: settled.kind, count, of: settled.of } : null;
}

const greatestDivisor = (first: bigint, second: bigint): bigint =>
  second === 0n ? first : greatestDivisor(second, first % second);

/** Computes the price for some pieces: round(remaining × selected / all open), with exact fractions of the lines' net amounts. */
function priceOfPieces(bill: BillState, active: readonly BillPayment[], pieces: readonly Piece[]): bigint {
  const nets = netsOf(bill);
  const openPieces = bill.lines.map((line) => {
    const { count, of } = settledOf(line, active);
    return { lineId: line.id, count: of - count, of };
  });
  const common = [...openPieces, ...pieces].reduce((multiple, { of }) => {
    const parts = BigInt(of);
    return (multiple * parts) / greatestDivisor(multiple, parts);
  }, 1n);
  const weigh = (list: readonly Pick<Piece, 'lineId' | 'count' | 'of'>[]): bigint =>
    list.reduce(
      (weight, { lineId, count, of }) => weight + (nets.get(lineId) ?? 0n) * BigInt(count) * (common / BigInt(of)),
      0n,
    );
  const all = weigh(openPieces);
  return all === 0n ? 0n : roundHalfUp(billAmounts(bill).remaining * weigh(pieces), all);
}

/**
 * Returns true if a share or an amount was already paid. Such a payment covers a bit of every dish, so whole dishes can no longer
 * be paid separately.
 */
const isDividedByAmount = (active: readonly BillPayment[]): boolean =>
  active.some(({ covers }) => covers.by !== 'lines');

function priceLines(bill: BillState, choices: readonly LineChoice[]): PricedPart | PartRefusal {
  const active = activePayments(bill);
  if (isDividedByAmount(active)) {
    const { of, taken } = runningShares(bill);
    return { kind: 'bill_split_conflict', ...(of !== null && { sharesOf: of, sharesTaken: taken }) };
  }
  const pieces: Piece[] = [];
  for (const choice of choices) {
    const line = bill.lines.find(({ id }) => id === choice.lineId);
    const piece = line && piecesOf(line, choice, active);
    if (!piece) return { kind: 'bill_split_conflict', lineId: choice.lineId };
    pieces.push(piece);
  }
  return { kind: 'priced', amount: priceOfPieces(bill, active, pieces), covers: { by: 'lines', pieces } };
}

function priceRest(bill: BillState): PricedPart {
  const active = activePayments(bill);
  const amount = billAmounts(bill).remaining;
  if (isDividedByAmount(active)) return { kind: 'priced', amount, covers: { by: 'amount' } };
  const pieces = bill.lines.flatMap((line) => piecesOf(line, { lineId: line.id }, active) ?? []);
  return { kind: 'priced', amount, covers: { by: 'lines', pieces } };
}

function priceAny(bill: BillState, part: BillPart): PricedPart | PartRefusal {
  if ('rest' in part) return priceRest(bill);
  if ('shares' in part) return priceShares(bill, part);
  if ('lines' in part) return priceLines(bill, part.lines);
  const { remaining } = billAmounts(bill);
  if (part.amount > remaining) return { kind: 'amount_exceeds_remaining', remaining };
  return { kind: 'priced', amount: part.amount, covers: { by: 'amount' } };
}

/**
 * Returns the current price for a part of the bill, and what the part covers. Checks, in this order, that its pieces and shares
 * are available, that its amount isn't above what remains, and that it costs something. If the payer already has a reservation,
 * the caller must leave that payment out of `bill.payments`.
 */
export function pricePart(bill: BillState, part: BillPart): PricedPart | PartRefusal {
  const priced = priceAny(bill, part);
  return priced.kind === 'priced' && priced.amount === 0n ? { kind: 'nothing_to_pay' } : priced;
}
