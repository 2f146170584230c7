import * as contract from '@comanda/contracts/pix-internal';
import type { Api } from '@comanda/shared/http/api';
import { getPixPayment, type GetPixPaymentDeps } from './get-pix-payment.ts';
import { recordPixStatement, type RecordPixStatementDeps } from './record-pix-statement.ts';

/** Registers the endpoints about payments by Pix, which only the transfers service calls. */
export function registerPixRoutes({ handle }: Api, deps: GetPixPaymentDeps & RecordPixStatementDeps): void {
  handle(contract.getPixPayment, async (call) => ({ status: 200, body: await getPixPayment(deps, call) }));
  handle(contract.recordPixStatement, async (call) => ({ status: 200, body: await recordPixStatement(deps, call) }));
}
