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

/**
 * How long to wait before an attempt that the orders service has rejected is reported again, in milliseconds. An operator must
 * look into it.
 */
const refusedAgainMs = 60_000;

type Decided = { attempt: Attempt; rows: readonly Row[] };

/** Reports the journal's decision about an attempt to the orders service, then removes the attempt. It is safe to repeat. */
async function settleAttempt(deps: SettleAttemptDeps, { attempt, rows }: Decided): Promise<void> {
  const { attempts, orders, clock, logger, metrics } = deps;
  try {
    for (const row of rows)
      await orders.settle(attempt.paymentId, row.status === 'posted' ? row.receipt : row.statement);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'service_unavailable') throw error;
    metrics.countSettlement('refused');
    logger.error({ err: error, payment: attempt.paymentId, jti: attempt.jti }, 'orders refuses how a payment ended');
    // The orders service has lost the payment, for example in a restore. The payment doesn't come back, so the attempt is over.
    if (error.code === 'not_found') await attempts.removeAttempt(attempt.jti);
    else await attempts.postpone(attempt.jti, new Date(clock() + refusedAgainMs));
    return;
  }
  for (const { status } of rows) metrics.countSettlement(status);
  await attempts.removeAttempt(attempt.jti);
}

/**
 * Ends an attempt that its instance has not ended: if the journal has a decision, or if the token can no longer be used to post.
 */
export async function endAttempt(deps: SettleAttemptDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.clock();
  const found = await deps.journal.findRowByToken(attempt.jti);
  const posted = found ? [] : await deps.journal.findBillTransfers(attempt.paymentId);
  // Another token has moved the money, so this token can't. The orders service knows that already, unless its database was
  // restored.
  if (posted.some(({ kind }) => purposeOf(kind) === attempt.purpose))
    return settleAttempt(deps, { attempt, rows: posted });
  const step = nextStep(found, { ...attempt, nowMs });
  if (step === 'wait') {
    // The token may still be used to post. If that happens, the posting instance or the next sweep settles the attempt.
    await deps.attempts.postpone(attempt.jti, new Date(Math.min(nowMs + 5000, attempt.tokenExpiresAtMs + undecidedMs)));
    return;
  }
  const row = found ?? (await deps.journal.insertExpired(attempt.jti, new Date(nowMs)));
  await settleAttempt(deps, { attempt, rows: [row] });
}

/**
 * How long the response to a payment waits until the orders service has recorded the payment, in milliseconds. An app that then
 * loads the bill shows the payment.
 */
const waitForOrdersMs = 500;

/**
 * Immediately reports an attempt's result to the orders service: `row`, or another token's transfers if `row` is null. Waits at
 * most `waitForOrdersMs` and never fails, because the money has already moved. If the orders service does not respond, the sweep
 * reports the result later.
 */
export async function settleNow(
  deps: SettleAttemptDeps,
  { attempt, row }: { attempt: Attempt; row: DecidedRow | null },
): Promise<void> {
  const deadline = performance.now() + waitForOrdersMs;
  const onTimeout = (): Error => new Error('orders has not answered yet');
  const report = row ? settleAttempt(deps, { attempt, rows: [row] }) : endAttempt(deps, attempt);
  await withTimeLimit(report, { deadline, onTimeout }).catch((error: unknown) => {
    deps.logger.warn({ err: error, payment: attempt.paymentId }, 'a payment is settled with orders later');
  });
}
