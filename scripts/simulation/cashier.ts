import type { Answer } from '@comanda/client';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Evening } from './evening.ts';

type Cash = Pick<Evening, 'manager' | 'chance' | 'pass' | 'attempt' | 'signal'>;
type Bill = Answer<'listBills'>[number];

const till = 'main';
/** The change that is in the till when the evening starts, and stays there at its end. */
const change = '200.00';
/** The time until the manager's next task, in seconds at a real table. */
const untilNextTask = [60, 300] as const;
const reasons = {
  pay_in: ['Troco do banco', 'Devolução do fornecedor'],
  pay_out: ['Gelo', 'Entregador', 'Flores', 'Táxi'],
  drop: ['Cofre'],
  discount: ['Demorou', 'Veio frio', 'Cliente da casa'],
  refund: ['Cobrado duas vezes', 'Prato não veio'],
} as const;

/** Counts the change in the till, unless someone has counted it before. */
export async function openTill({ manager }: Pick<Cash, 'manager'>): Promise<void> {
  const drawers = await manager.calls.listCashDrawers();
  if (drawers.some(({ name, counted_at: at }) => name === till && at !== null)) return;
  await manager.calls.countCashDrawer({ name: till, counted: change });
}

/**
 * Does what a manager does beside the tables until `ended` aborts: pays for ice from the till, brings change, takes notes to the safe,
 * gives a discount, refunds a payment.
 */
export async function keepCash(cash: Cash, ended: AbortSignal): Promise<void> {
  const { chance, pass, attempt, signal } = cash;
  const tasks = [
    ['cash goes out of the till', () => move(cash, 'pay_out', ['8.00', '25.00', '43.50'])],
    ['cash comes into the till', () => move(cash, 'pay_in', ['20.00', '50.00'])],
    ['notes go to the safe', () => move(cash, 'drop', ['100.00', '150.00'])],
    ['a discount is given', () => discountOne(cash)],
    ['a payment is refunded', () => refundOne(cash)],
  ] as const;
  while (!signal.aborted && !ended.aborted) {
    await pass(untilNextTask);
    const [what, task] = chance.pick(tasks);
    if (!ended.aborted) await attempt(what, task);
  }
}

async function move(
  { manager, chance }: Cash,
  kind: 'pay_in' | 'pay_out' | 'drop',
  amounts: readonly string[],
): Promise<void> {
  const reason = chance.pick(reasons[kind]);
  const idempotencyKey = manager.newKey();
  await manager.calls.addMovement({ name: till, kind, amount: chance.pick(amounts), reason }, { idempotencyKey });
}

async function discountOne({ manager, chance }: Cash): Promise<void> {
  const open = (await manager.calls.listBills({ status: 'open', limit: 50 })).filter(
    ({ discounts, payments, items_total: total }) =>
      discounts.length === 0 && payments.length === 0 && toMinor(total) > 2_000n,
  );
  if (open.length === 0) return;
  const { id, items_total: total } = chance.pick(open);
  const amount = fromMinor(toMinor(total) / 10n);
  await manager.calls.giveDiscount({ id, amount, reason: chance.pick(reasons.discount) });
}

async function refundOne({ manager, chance }: Cash): Promise<void> {
  const closed = await manager.calls.listBills({ status: 'closed', limit: 10 });
  const paid = closed.flatMap(({ payments }) =>
    payments.filter(({ status, method }) => status === 'paid' && (method === 'cash' || method === 'card')),
  );
  if (paid.length === 0) return;
  const { id, bill_id: billId } = chance.pick(paid);
  await manager.calls.refundBillPayment({ id: billId, payment_id: id, reason: chance.pick(reasons.refund) });
}

/**
 * Counts the cash and closes the running day, as a manager does at the end of the evening. Open bills are carried over.
 * @throws CallFailure
 */
export async function closeEvening(cash: Cash): Promise<Answer<'closeDay'>> {
  const { manager, chance } = cash;
  const { cash_drawers: drawers } = await manager.calls.getDay();
  if (drawers.some(({ name, moved }) => name === till && moved)) {
    const there = await cashInTill(cash);
    const missing = chance.happens(0.3) ? BigInt(chance.whole(5, 500)) : 0n;
    const counted = fromMinor(there > missing ? there - missing : there);
    const left = toMinor(counted) > toMinor(change) ? change : counted;
    await manager.calls.countCashDrawer({ name: till, counted, left }, { idempotencyKey: manager.newKey() });
  }
  const { number, previous_hash: previousHash } = await manager.calls.getDay();
  const closing = { number, previous_hash: previousHash, carry_over: 'all' as const };
  return manager.calls.closeDay(closing, { idempotencyKey: manager.newKey() });
}

/** Returns what is in the till, in minor units. No call says so, but the simulation has seen all notes. */
async function cashInTill({ manager }: Pick<Cash, 'manager'>): Promise<bigint> {
  const [[last], moved, bills] = await Promise.all([
    manager.calls.listCounts({ name: till, limit: 1 }),
    manager.calls.listMovements({ name: till, limit: 200 }),
    manager.calls.listBills({ limit: 200 }),
  ]);
  const since = last?.at ?? '';
  const byHand = moved.reduce((sum, { amount }) => sum + signed(amount), 0n);
  const paid = bills.flatMap(cashPaymentsOf).reduce((sum, { at, amount }) => (at > since ? sum + amount : sum), 0n);
  const all = toMinor(last?.left ?? '0.00') + byHand + paid;
  return all > 0n ? all : 0n;
}

const signed = (amount: string): bigint => (amount.startsWith('-') ? -toMinor(amount.slice(1)) : toMinor(amount));

function cashPaymentsOf({ payments }: Bill): { at: string; amount: bigint }[] {
  return payments.flatMap(({ method, cash_drawer: drawer, settled_at: at, total, refund }) => {
    const into = method === 'cash' && drawer === till && at !== null ? [{ at, amount: toMinor(total) }] : [];
    const out = refund?.method === 'cash' ? [{ at: refund.at, amount: -toMinor(total) }] : [];
    return [...into, ...out];
  });
}
