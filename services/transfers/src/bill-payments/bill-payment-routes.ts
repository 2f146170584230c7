import * as contracts from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import { toMinor } from '@comanda/contracts/money';
import { replyInTime } from '../transfers/reply.ts';
import { payBillFromAccount, type PayBillDeps } from './pay-bill-from-account.ts';

export function registerBillPaymentRoutes({ handle }: Api, deps: PayBillDeps): void {
  handle(contracts.payBillFromAccount, (call) => {
    const { payment_id: paymentId, from_account_id: fromId, amount, currency } = call.body;
    const request = { kind: 'bill_payment', paymentId, fromId, amountMinor: toMinor(amount), currency } as const;
    return replyInTime(payBillFromAccount(deps, { call, request }), deps.responseTimeLimitMs);
  });

  handle(contracts.refundBillPaymentToAccount, (call) => {
    const { payment_id: paymentId, amount, currency } = call.body;
    const request = { kind: 'bill_refund', paymentId, amountMinor: toMinor(amount), currency } as const;
    return replyInTime(payBillFromAccount(deps, { call, request }), deps.responseTimeLimitMs);
  });
}
