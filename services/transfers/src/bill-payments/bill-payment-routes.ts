import * as contracts from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import { toMinor } from '../money.ts';
import {
  executeTransferOnce,
  type ExecuteTransferOnceDeps,
  type TransferSteps,
} from '../transfers/execute-transfer-once.ts';
import type { DecidedRow } from '../transfers/journal-row.ts';
import type { TokenFacts } from '../transfers/step-up-token.ts';
import { purposeOf, type Attempt } from './attempt.ts';
import { checkBillRequest, type BillTransferRequest, type CheckBillRequestDeps } from './check-bill-request.ts';
import { claimPayment, type ClaimPaymentDeps } from './claim-payment.ts';

export type BillPaymentRouteDeps = ExecuteTransferOnceDeps &
  CheckBillRequestDeps &
  ClaimPaymentDeps & {
    /**
     * Reports to orders how a bill payment attempt ended; `row` is null if another token moved the money. Waits only briefly for
     * the response and never fails.
     */
    settleNow: (attempt: Attempt, row: DecidedRow | null) => Promise<void>;
  };

export function registerBillPaymentRoutes({ handle }: Api, deps: BillPaymentRouteDeps): void {
  handle(contracts.payBillFromAccount, (call) => {
    const { payment_id: paymentId, from_account_id: fromId, amount, currency } = call.body;
    const request = { kind: 'bill_payment', paymentId, fromId, amountMinor: toMinor(amount), currency } as const;
    return executeTransferOnce(deps, { call, steps: stepsOf(deps, call, request) });
  });

  handle(contracts.refundBillPaymentToAccount, (call) => {
    const { payment_id: paymentId, amount, currency } = call.body;
    const request = { kind: 'bill_refund', paymentId, amountMinor: toMinor(amount), currency } as const;
    return executeTransferOnce(deps, { call, steps: stepsOf(deps, call, request) });
  });
}

/** Returns the steps that claim the payment in orders before posting it, and settle it there afterwards. */
function stepsOf(deps: BillPaymentRouteDeps, call: SensitiveCall, request: BillTransferRequest): TransferSteps {
  const attemptWith = ({ jti, expiresAtMs: tokenExpiresAtMs }: TokenFacts): Attempt => ({
    jti,
    paymentId: request.paymentId,
    purpose: purposeOf(request.kind),
    tokenExpiresAtMs,
  });
  return {
    check: () => checkBillRequest(deps, { call, request }),
    claim: (terms, token) => claimPayment(deps, { call, attempt: attemptWith(token), terms }),
    settle: (row, token) => deps.settleNow(attemptWith(token), row),
  };
}
