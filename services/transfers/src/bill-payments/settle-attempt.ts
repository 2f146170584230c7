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

/** Delay until the next report of an attempt that orders rejected, which needs an operator. */
const refusedAgainMs = 60_000;

type Decided = { attempt: Attempt; rows: readonly Row[] };

/** Reports the journal's decision about an attempt to orders, then deletes the attempt. Repeating this does no harm. */
async function settleAttempt(deps: SettleAttemptDeps, { attempt, rows }: Decided): Promise<void> {
  const { attempts, orders, clock, logger, metrics } = deps;
  try {
    for (const row of rows)
      await orders.settle(attempt.paymentId, row.status === 'posted' ? row.receipt : row.statement);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'service_unavailable') throw error;
    metrics.countSettlement('refused');
    logger.error({ err: error, payment: attempt.paymentId, jti: attempt.jti }, 'orders refuses how a payment ended');
    // If orders has lost the payment along with its database, the payment does not come back.
    if (error.code === 'not_found') await attempts.removeAttempt(attempt.jti);
    else await attempts.postpone(attempt.jti, new Date(clock() + refusedAgainMs));
    return;
  }
  for (const { status } of rows) metrics.countSettlement(status);
  await attempts.removeAttempt(attempt.jti);
}

/** Ends an attempt that its instance did not end, if the journal has decided it or its time is over. */
export async function endAttempt(deps: SettleAttemptDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.clock();
  const found = await deps.journal.findRowByToken(attempt.jti);
  const posted = found ? [] : await deps.journal.findBillTransfers(attempt.paymentId);
  // Another token has moved the money, so this one moves none. Orders already knows, unless it was restored.
  if (posted.some(({ kind }) => purposeOf(kind) === attempt.purpose))
    return settleAttempt(deps, { attempt, rows: posted });
  const step = nextStep(found, { ...attempt, nowMs });
  if (step === 'wait') {
    // The token may still post. If a row is written in the meantime, the instance that writes it settles the attempt, or the next
    // sweep does.
    await deps.attempts.postpone(attempt.jti, new Date(Math.min(nowMs + 5000, attempt.tokenExpiresAtMs + undecidedMs)));
    return;
  }
  const row = found ?? (await deps.journal.insertExpired(attempt.jti, new Date(nowMs)));
  await settleAttempt(deps, { attempt, rows: [row] });
}

/** How long the response to a payment waits for orders, so that an app that fetches the bill next sees it as paid. */
const waitForOrdersMs = 500;

/**
 * Immediately reports to orders how an attempt ended: `row`, or null if another token has moved the money. Waits only briefly, and
 * never fails: if orders does not respond, the sweep reports it later, because the money has already moved.
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
