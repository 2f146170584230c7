import * as contracts from '@comanda/contracts/transfers';
import { listEntries as listEntriesContract } from '@comanda/contracts/accounts';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { toMinor } from '@comanda/contracts/money';
import { deposit, type DepositDeps } from './deposit.ts';
import { getTransfer, type GetTransferDeps } from './get-transfer.ts';
import { listEntries, type ListEntriesDeps } from './list-entries.ts';
import { replyInTime } from './reply.ts';
import { toTransferResponse } from './transfer.ts';
import { transferMoney, type InternalTransfer, type TransferMoneyDeps } from './transfer-money.ts';

export type TransferRouteDeps = TransferMoneyDeps & DepositDeps & GetTransferDeps & ListEntriesDeps;

const defaultLimit = 50;

export function registerTransferRoutes({ handle }: Api, deps: TransferRouteDeps): void {
  handle(contracts.transferMoney, (call) => {
    const { from_account_id: fromId, to_account_id: toId, amount, currency, description = null } = call.body;
    const amountMinor = toMinor(amount);
    const request: InternalTransfer = { kind: 'internal_transfer', fromId, toId, amountMinor, currency, description };
    return replyInTime(transferMoney(deps, { call, request }), deps.responseTimeLimitMs);
  });

  handle(contracts.deposit, (call) => {
    const { amount, currency } = call.body;
    const request = { kind: 'account_deposit', toId: call.params.id, amountMinor: toMinor(amount), currency } as const;
    return replyInTime(deposit(deps, { call, request }), deps.responseTimeLimitMs);
  });

  handle(contracts.getTransfer, async ({ caller, params }) => {
    const transfer = await getTransfer(deps, { caller, id: params.id });
    return { status: 200, body: toTransferResponse(transfer) };
  });

  handle(listEntriesContract, async ({ caller, params, query }) => {
    const { limit = defaultLimit } = query;
    const cursor = query.cursor === undefined ? undefined : Number(query.cursor);
    const { entries, next } = await listEntries(deps, { caller, id: params.id, cursor, limit });
    return { status: 200, body: entries, headers: nextLink(`/accounts/${params.id}/entries`, { limit }, next) };
  });
}
