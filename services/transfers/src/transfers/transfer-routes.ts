import * as contracts from '@comanda/contracts/transfers';
import { listEntries as listEntriesContract } from '@comanda/contracts/accounts';
import type { Api } from '@comanda/shared/http/api';
import type { SensitiveCall } from '@comanda/shared/http/step-up';
import { nextPageLink } from '../accounts/next-page-link.ts';
import { toMinor } from '../money.ts';
import { checkAccounts, type CheckAccountsDeps, type TransferRequest } from './check-accounts.ts';
import { executeTransferOnce, type ExecuteTransferOnceDeps } from './execute-transfer-once.ts';
import { getTransfer, type GetTransferDeps } from './get-transfer.ts';
import { listEntries, type ListEntriesDeps } from './list-entries.ts';
import { toTransferResponse } from './transfer.ts';

export type TransferRouteDeps = ExecuteTransferOnceDeps & CheckAccountsDeps & GetTransferDeps & ListEntriesDeps;

const defaultLimit = 50;

export function registerTransferRoutes({ handle }: Api, deps: TransferRouteDeps): void {
  const execute = (call: SensitiveCall, request: TransferRequest) =>
    executeTransferOnce(deps, {
      call,
      steps: { check: () => checkAccounts(deps, { userId: call.caller.userId, request }) },
    });

  handle(contracts.transferMoney, (call) => {
    const { from_account_id: fromId, to_account_id: toId, amount, currency, description = null } = call.body;
    const amountMinor = toMinor(amount);
    const request: TransferRequest = { kind: 'internal_transfer', fromId, toId, amountMinor, currency, description };
    return execute(call, request);
  });

  handle(contracts.deposit, (call) => {
    const { amount, currency } = call.body;
    const request = { kind: 'account_deposit', toId: call.params.id, amountMinor: toMinor(amount), currency } as const;
    return execute(call, request);
  });

  handle(contracts.getTransfer, async ({ caller, params }) => {
    const transfer = await getTransfer(deps, { caller, id: params.id });
    return { status: 200, body: toTransferResponse(transfer) };
  });

  handle(listEntriesContract, async ({ caller, params, query }) => {
    const { limit = defaultLimit } = query;
    const cursor = query.cursor === undefined ? undefined : Number(query.cursor);
    const { entries, next } = await listEntries(deps, { caller, id: params.id, cursor, limit });
    return { status: 200, body: entries, headers: nextPageLink(`/accounts/${params.id}/entries`, { limit }, next) };
  });
}
