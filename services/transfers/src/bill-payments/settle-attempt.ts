import { Problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { DecidedRow, Row } from '../transfers/journal-row.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import type { Orders } from './ask-orders.ts';
import type { AttemptStore } from './attempt-store.ts';
import { nextStep, undecidedMs, type Attempt } from './attempt.ts';
import type { BillPaymentMetrics } from './bill-payment-metrics.ts';

export type SettleAttemptDeps = {
  attempts: Pick<AttemptStore, 'postpone' | 'removeAttempt'>;
  journal: Pick<JournalStore, 'findRowByToken' | 'insertExpired'>;
  orders: Pick<Orders, 'settle'>;
  clock: Clock;
  logger: Logger;
  metrics: BillPaymentMetrics;
};

/** When an attempt is tried again that orders refuses to settle, which an operator must look at. */
const refusedAgainMs = 60_000;

/** Tells orders what the journal has decided about an attempt, and forgets the attempt. May be repeated. */
export async function settleAttempt(deps: SettleAttemptDeps, attempt: Attempt, row: Row): Promise<void> {
  const { attempts, orders, clock, logger, metrics } = deps;
  try {
    await orders.settle(attempt.paymentId, row.status === 'posted' ? row.receipt : row.statement);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'service_unavailable') throw error;
    metrics.countSettlement('refused');
    logger.error({ err: error, payment: attempt.paymentId, jti: attempt.jti }, 'orders refuses how a payment ended');
    await attempts.postpone(attempt.jti, new Date(clock() + refusedAgainMs));
    return;
  }
  metrics.countSettlement(row.status);
  await attempts.removeAttempt(attempt.jti);
}

/** Ends an attempt whose instance has not, as far as the journal or time has decided it. */
export async function endAttempt(deps: SettleAttemptDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.clock();
  const found = await deps.journal.findRowByToken(attempt.jti);
  const step = nextStep(found, { ...attempt, nowMs });
  if (step === 'wait') {
    // Its token may still post. A row that is written in the meantime is settled by who writes it, or then.
    await deps.attempts.postpone(attempt.jti, new Date(Math.min(nowMs + 5000, attempt.tokenExpiresAtMs + undecidedMs)));
    return;
  }
  const row = found ?? (await deps.journal.insertExpired(attempt.jti, new Date(nowMs)));
  await settleAttempt(deps, attempt, row);
}

/** How long the answer to a payment waits until orders knows that it is paid: an app that reads the bill then sees it. */
const waitForOrdersMs = 500;

/** Tells orders how an attempt ended, right away. If it does not answer, the sweep tells it later: the money has moved. */
export const createSettleNow =
  (deps: SettleAttemptDeps) =>
  async (attempt: Attempt, row: DecidedRow): Promise<void> => {
    const deadline = performance.now() + waitForOrdersMs;
    const onTimeout = (): Error => new Error('orders has not answered yet');
    await withTimeLimit(settleAttempt(deps, attempt, row), { deadline, onTimeout }).catch((error: unknown) => {
      deps.logger.warn({ err: error, payment: attempt.paymentId }, 'a payment is settled with orders later');
    });
  };
