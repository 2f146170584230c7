import * as contracts from '@comanda/contracts/accounts';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { toAccountResponse } from './account.ts';
import { getAccount, type GetAccountDeps } from './get-account.ts';
import { getPayee, type GetPayeeDeps } from './get-payee.ts';
import { listAccounts, type ListAccountsDeps } from './list-accounts.ts';
import { openAccount, type OpenAccountDeps } from './open-account.ts';

export type AccountRouteDeps = OpenAccountDeps & ListAccountsDeps & GetAccountDeps & GetPayeeDeps;

const defaultLimit = 50;

export function registerAccountRoutes({ handle }: Api, deps: AccountRouteDeps): void {
  handle(contracts.openAccount, async ({ caller, body: { name, currency }, idempotency }) => {
    const { account, replayed } = await openAccount(deps, { owner: caller, name, currency, idempotency });
    const headers = { Location: `/accounts/${account.id}` };
    return { status: 201, body: toAccountResponse(account), headers, replayed };
  });

  handle(contracts.listAccounts, async ({ caller, query }) => {
    const { limit = defaultLimit, cursor = 0, owner_id: ownerId } = query;
    const { accounts, next } = await listAccounts(deps, { caller, ownerId, cursor: Number(cursor), limit });
    const headers = nextLink('/accounts', { ...query, limit }, next);
    return { status: 200, body: accounts.map(toAccountResponse), headers };
  });

  handle(contracts.getAccount, async ({ caller, params }) => {
    const account = await getAccount(deps, { caller, id: params.id });
    return { status: 200, body: toAccountResponse(account) };
  });

  handle(contracts.getPayee, async ({ params }) => ({ status: 200, body: await getPayee(deps, params.id) }));
}
