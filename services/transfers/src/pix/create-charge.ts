import { dynamicCode } from '@comanda/contracts/br-code';
import type * as contract from '@comanda/contracts/pix';
import type { PixCharge as ChargeResponse, PixMode } from '@comanda/contracts/pix';
import type { PixPayment } from '@comanda/contracts/pix-internal';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { problem, Problem, unavailable } from '@comanda/contracts/problem';
import { maxPixChargesPerMinute, pixCodeMinutes } from '@comanda/contracts/rules';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { createLocalCounter } from '@comanda/shared/runtime/local-counter';
import type { Logger } from '@comanda/shared/runtime/logger';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { PixOrders } from './ask-orders.ts';
import { BankUnavailable } from './bank-connection.ts';
import type { Bank, BankCharge } from './bank.ts';
import type { ChargeStore } from './charge-store.ts';
import { randomTxid, staticCodeOf, toChargeResponse, type Charge, type Receiver } from './charge.ts';
import type { PixMetrics } from './pix-metrics.ts';

export type ChargeDeps = {
  mode: PixMode;
  receiver: Receiver;
  /** Null if the restaurant has no bank. */
  bank: Pick<Bank, 'getCharge' | 'putCharge'> | null;
  charges: Pick<ChargeStore, 'find' | 'insertOrFind' | 'setCode'>;
  orders: Pick<PixOrders, 'getPayment'>;
  /** Counts each user's calls in a minute. */
  countCharge: ReturnType<typeof createLocalCounter>;
  metrics: Pick<PixMetrics, 'countRefusedCharge'>;
  clock: Clock;
  logger: Logger;
  responseTimeLimitMs: number;
};
type CreateCall = Call<typeof contract.createPixCharge>;
type Created = { charge: ChargeResponse; isNew: boolean };

/** How long before the payment's end its code at the bank ends, in seconds. */
const codeEndsEarlierS = 60;

/**
 * `POST /pix/charges`: returns the Pix code of a payment, and creates it the first time. Two phones get the same code. Calls that
 * end with a 503 don't count towards the limit.
 * @throws the problems in the contract; 503 `service_unavailable` if orders or the bank don't answer in time
 */
export async function createCharge(deps: ChargeDeps, call: CreateCall): Promise<Created> {
  const window = deps.countCharge(call.caller.userId);
  if (window.count > maxPixChargesPerMinute) {
    const seconds = Math.max(1, Math.ceil((window.endsAt - deps.clock()) / 1000));
    throw problem('rate_limited', {}, { 'Retry-After': String(seconds) });
  }
  try {
    const deadline = performance.now() + deps.responseTimeLimitMs;
    return await withTimeLimit(findOrCreate(deps, call), { deadline, onTimeout: () => unavailable() });
  } catch (error) {
    const failure = error instanceof BankUnavailable ? bankSilent(error) : error;
    if (!(failure instanceof Problem) || failure.status === 503) window.count--;
    throw failure;
  }
}

const bankSilent = (cause: unknown): Problem =>
  unavailable({ detail: "The bank isn't responding. Repeat the request in a second." }, cause);

async function findOrCreate(deps: ChargeDeps, call: CreateCall): Promise<Created> {
  const { payment_id: paymentId } = call.body;
  const known = await deps.charges.find(paymentId);
  if (known?.code != null && isStaff(call))
    return { charge: toChargeResponse({ ...known, code: known.code }), isNew: false };
  const isOff = deps.mode === 'off' && known?.code == null;
  if (isOff) throw problem('pix_off');
  const payment = await deps.orders.getPayment(paymentId, call);
  if (known?.code != null) return { charge: toChargeResponse({ ...known, code: known.code }), isNew: false };
  checkPayable(payment, call, deps.clock);
  const charge = known ?? (await deps.charges.insertOrFind(newCharge(deps, payment)));
  const code = charge.code ?? (await codeOf(deps, charge, payment));
  const isNew = await deps.charges.setCode(charge, code);
  const stored = isNew ? { ...charge, code } : await deps.charges.find(paymentId);
  return { charge: toChargeResponse({ ...charge, code: stored?.code ?? code }), isNew };
}

const isStaff = ({ caller }: Pick<CreateCall, 'caller'>): boolean => caller.role !== 'customer';

/** @throws 409 `payment_not_payable`; 422 `amount_mismatch` */
function checkPayable(payment: PixPayment, { body }: CreateCall, clock: Clock): void {
  const { status, total, currency, expires_at: expiresAt } = payment;
  const leftMs = expiresAt === null ? 0 : Date.parse(expiresAt) - clock();
  if (status !== 'reserved' || leftMs < pixCodeMinutes * 60_000)
    throw problem('payment_not_payable', { payment_status: status });
  if (toMinor(body.amount) !== toMinor(total) || body.currency !== currency || currency !== 'BRL')
    throw problem('amount_mismatch', { total });
}

function newCharge({ mode }: ChargeDeps, payment: PixPayment): Charge {
  if (mode === 'off' || payment.expires_at === null) throw problem('pix_off');
  return {
    paymentId: payment.id,
    paymentCreatedAt: new Date(payment.created_at),
    mode,
    txid: randomTxid(mode),
    amountMinor: toMinor(payment.total),
    code: null,
    expiresAt: new Date(payment.expires_at),
  };
}

/** Returns the text of the charge's code. A charge of mode `bank` is created at the bank first, if the bank doesn't have it. */
async function codeOf(deps: ChargeDeps, charge: Charge, payment: PixPayment): Promise<string> {
  if (charge.mode === 'staff') return staticCodeOf(charge, deps.receiver);
  const { bank, receiver } = deps;
  if (!bank) throw problem('pix_off');
  const seconds = Math.floor((charge.expiresAt.getTime() - deps.clock()) / 1000) - codeEndsEarlierS;
  const amount = fromMinor(charge.amountMinor);
  const asked = await bank.getCharge(charge.txid);
  const put = asked ?? (await bank.putCharge({ txid: charge.txid, amount, key: receiver.key, seconds }));
  // The bank refuses to create a charge that another phone has created in the meantime.
  const found = asked === null && 'refusedWith' in put ? ((await bank.getCharge(charge.txid)) ?? put) : put;
  if ('refusedWith' in found) throw refusedByBank(deps, charge, `it answered ${found.refusedWith}`);
  if (found.status !== 'ATIVA' || found.amount !== amount)
    throw problem('payment_not_payable', { payment_status: payment.status });
  const code = codeIn(found, receiver);
  if (code === null) throw refusedByBank(deps, charge, 'its answer has no code');
  return code;
}

const codeIn = ({ code, location }: BankCharge, { name, city }: Receiver): string | null =>
  code ?? (location === null ? null : dynamicCode({ location, name, city }));

function refusedByBank({ logger, metrics }: ChargeDeps, { paymentId }: Charge, why: string): Problem {
  logger.error({ payment: paymentId, why }, 'the bank gives no Pix code');
  metrics.countRefusedCharge();
  return unavailable({
    detail: "The bank can't create a Pix code right now. Pay in another way, or repeat the request.",
  });
}

/**
 * `GET /pix/charges/{payment_id}`: returns the code that a payment already has, without asking the bank.
 * @throws 404 `not_found`
 */
export async function getCharge(
  { charges, orders }: Pick<ChargeDeps, 'charges' | 'orders'>,
  call: Call<typeof contract.getPixCharge>,
): Promise<ChargeResponse> {
  const { payment_id: paymentId } = call.params;
  const charge = await charges.find(paymentId);
  if (charge?.code == null) throw problem('not_found');
  if (call.caller.role === 'customer') await orders.getPayment(paymentId, call);
  return toChargeResponse({ ...charge, code: charge.code });
}
