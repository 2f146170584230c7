import * as contracts from '@comanda/contracts/transfers';
import type { Api } from '@comanda/shared/http/api';
import { toMinor } from '../money.ts';
import type { TransferRequest } from './check-accounts.ts';
import { executeTransferOnce } from './execute-transfer-once.ts';
import type { ExecuteTransferOnceDeps } from './execute-transfer-once.ts';
import { getTransfer } from './get-transfer.ts';
import type { GetTransferDeps } from './get-transfer.ts';
import { toTransferResponse } from './transfer.ts';

export type TransferRouteDeps = ExecuteTransferOnceDeps & GetTransferDeps;

export function registerTransferRoutes({ handle }: Api, deps: TransferRouteDeps): void {
  handle(contracts.transferMoney, (call) => {
    const { from_account_id: fromId, to_account_id: toId, amount, currency, description = null } = call.body;
    const amountMinor = toMinor(amount);
    const request: TransferRequest = { kind: 'internal_transfer', fromId, toId, amountMinor, currency, description };
    return executeTransferOnce(deps, { call, request });
  });

  handle(contracts.deposit, (call) => {
    const request = { kind: 'account_deposit', toId: call.params.id, amountMinor: toMinor(call.body.amount) } as const;
    return executeTransferOnce(deps, { call, request });
  });

  handle(contracts.getTransfer, async ({ caller, params }) => {
    const transfer = await getTransfer(deps, { caller, id: params.id });
    return { status: 200, body: toTransferResponse(transfer) };
  });
}
