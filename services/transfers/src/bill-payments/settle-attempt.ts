import { Problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import type { DecidedRow, Row } from '../transfers/journal-row.ts';
import type { JournalStore } from '../transfers/journal-store.ts';
import { undecidedMs } from '../transfers/step-up-token.ts';
import type { Orders } from './ask-orders.ts';
import type { AttemptStore } from './attempt-store.ts';
import { nextStep, purposeOf, type Attempt } from './attempt.ts';
import type { BillPaymentMetrics } from './bill-payment-metrics.ts';

export type SettleAttemptDeps = {
  attempts: Pick<AttemptStore, 'postpone' | 'removeAttempt'>;
  journal: Pick<JournalStore, 'findRowByToken' | 'findBillTransfers' | 'insertExpired'>;
  orders: Pick<Orders, 'settle'>;
  clock: Clock;
  logger: Logger;
  metrics: BillPaymentMetrics;
};

/** When an attempt is tried again that orders refuses to settle, which an operator must look at. */
const refusedAgainMs = 60_000;

type Decided = { attempt: Attempt; rows: readonly Row[] };

/** Tells orders what the journal has decided about an attempt, and forgets the attempt. May be repeated. */
async function settleAttempt(deps: SettleAttemptDeps, { attempt, rows }: Decided): Promise<void> {
  const { attempts, orders, clock, logger, metrics } = deps;
  try {
    for (const row of rows)
      await orders.settle(attempt.paymentId, row.status === 'posted' ? row.receipt : row.statement);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'service_unavailable') throw error;
    metrics.countSettlement('refused');
    logger.error({ err: error, payment: attempt.paymentId, jti: attempt.jti }, 'orders refuses how a payment ended');
    // A payment that orders has lost with its database does not come back.
    if (error.code === 'not_found') await attempts.removeAttempt(attempt.jti);
    else await attempts.postpone(attempt.jti, new Date(clock() + refusedAgainMs));
    return;
  }
  for (const { status } of rows) metrics.countSettlement(status);
  await attempts.removeAttempt(attempt.jti);
}

/** Ends an attempt whose instance has not, as far as the journal or time has decided it. */
export async function endAttempt(deps: SettleAttemptDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.clock();
  const found = await deps.journal.findRowByToken(attempt.jti);
  const posted = found ? [] : await deps.journal.findBillTransfers(attempt.paymentId);
  // Another token has moved the money, and this one moves none any more. orders knows it already, unless it was restored.
  if (posted.some(({ kind }) => purposeOf(kind) === attempt.purpose))
    return settleAttempt(deps, { attempt, rows: posted });
  const step = nextStep(found, { ...attempt, nowMs });
  if (step === 'wait') {
    // Its token may still post. A row that is written in the meantime is settled by who writes it, or then.
    await deps.attempts.postpone(attempt.jti, new Date(Math.min(nowMs + 5000, attempt.tokenExpiresAtMs + undecidedMs)));
    return;
  }
  const row = found ?? (await deps.journal.insertExpired(attempt.jti, new Date(nowMs)));
  await settleAttempt(deps, { attempt, rows: [row] });
}

/** How long the answer to a payment waits until orders knows that it is paid: an app that reads the bill then sees it. */
const waitForOrdersMs = 500;

/**
 * Tells orders how an attempt ended, right away: `row`, or null if another token has moved the money. If it does not
 * answer, the sweep tells it later: the money has moved.
 */
export const createSettleNow =
  (deps: SettleAttemptDeps) =>
  async (attempt: Attempt, row: DecidedRow | null): Promise<void> => {
    const deadline = performance.now() + waitForOrdersMs;
    const onTimeout = (): Error => new Error('orders has not answered yet');
    const telling = row ? settleAttempt(deps, { attempt, rows: [row] }) : endAttempt(deps, attempt);
    await withTimeLimit(telling, { deadline, onTimeout }).catch((error: unknown) => {
      deps.logger.warn({ err: error, payment: attempt.paymentId }, 'a payment is settled with orders later');
    });
  };
