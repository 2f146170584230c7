import * as contract from '@comanda/contracts/internal';
import type { Api } from '@comanda/shared/http/api';
import { claimAccountPayment, type ClaimDeps } from './claim-account-payment.ts';
import { getAccountPayment, type GetAccountPaymentDeps } from './get-account-payment.ts';
import { settleAccountPayment, type SettleDeps } from './settle-account-payment.ts';

export type AccountPaymentRouteDeps = GetAccountPaymentDeps & ClaimDeps & SettleDeps;

/** Registers the endpoints that only the transfers service calls. */
export function registerAccountPaymentRoutes({ handle }: Api, deps: AccountPaymentRouteDeps): void {
  handle(contract.getAccountPayment, async (call) => ({ status: 200, body: await getAccountPayment(deps, call) }));
  handle(contract.claimAccountPayment, async (call) => ({ status: 200, body: await claimAccountPayment(deps, call) }));
  handle(contract.settleAccountPayment, async (call) => ({
    status: 200,
    body: await settleAccountPayment(deps, call),
  }));
}
