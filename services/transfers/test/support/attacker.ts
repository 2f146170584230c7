import type { AccountPayment } from '@comanda/contracts/internal';
import { getAccount } from '../../src/accounts/get-account.ts';
import { listAccounts } from '../../src/accounts/list-accounts.ts';
import { createAccountDirectory } from '../../src/accounts/account-directory.ts';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import type { Account } from '../../src/accounts/account.ts';
import { createAccountVerifier } from '../../src/accounts/verify-account.ts';
import { checkBillRequest, type BillTransferRequest } from '../../src/bill-payments/check-bill-request.ts';
import { checkDeposit, type AccountDeposit } from '../../src/transfers/deposit.ts';
import { getTransfer } from '../../src/transfers/get-transfer.ts';
import { createJournalStore } from '../../src/transfers/journal-store.ts';
import { listEntries } from '../../src/transfers/list-entries.ts';
import { postBatch } from '../../src/transfers/post-batch.ts';
import { checkTransfer, type InternalTransfer } from '../../src/transfers/transfer-money.ts';
import type { TransferTerms } from '../../src/transfers/transfer.ts';
import { createRowVerifier } from '../../src/transfers/verify-row.ts';
import { silentLogger } from '@comanda/testing/silent-logger';
import { newCommand } from './books.ts';
import type { SmallLedger } from './small-ledger.ts';

/** An attacker's request, and the user who sends it. */
export type Attempt = { what: string; userId: number; request: InternalTransfer | AccountDeposit | BillRequest };
/** A request to pay or refund a bill's payment. `payment`: the payment as the orders service returns it. */
type BillRequest = BillTransferRequest & { payment: AccountPayment };
type Checked<A extends Attempt> = A & { terms: TransferTerms | null };

/**
 * Creates a new instance's use cases, without cached accounts. They accept every authorization as if the caller had entered the
 * PIN, and every payment as if the orders service had confirmed it.
 */
export function startInstance({ books, keys }: SmallLedger) {
  const trusted = () => keys;
  const verify = createAccountVerifier({ trusted, logger: silentLogger });
  const { signer } = books.deps;
  const options = { nextId: () => Promise.reject(new Error('not expected')), signer, verify };
  const accounts = createAccountStore(books.connection, options);
  const findDocument = async (id: number) => (await accounts.findUnverified([id]))[0] ?? null;
  const directory = createAccountDirectory({ findDocument, verify });
  const verifyRow = createRowVerifier({ trusted, logger: silentLogger });
  const journal = createJournalStore(books.connection, { signer, verify: verifyRow });
  const deps = { directory, accounts, journal, clock: Date.now };

  async function findTerms({ userId, request }: Attempt): Promise<TransferTerms> {
    if (request.kind === 'internal_transfer') return checkTransfer(deps, { userId, request });
    if (request.kind === 'account_deposit') return checkDeposit(deps, request);
    const { payment, ...bill } = request;
    const call = { caller: { userId }, header: () => undefined } as never;
    return checkBillRequest({ ...deps, orders: { getPayment: async () => payment } }, { call, request: bill });
  }
  return {
    /** Runs the checks that come before the token is spent. */
    check: async <A extends Attempt>(attempt: A): Promise<Checked<A>> => {
      const terms = await findTerms(attempt).catch(() => null);
      return { ...attempt, terms };
    },
    /** Posts a request that has passed the checks. Returns the accounts between which money has moved; null if none has. */
    post: async ({ userId, terms }: Checked<Attempt>): Promise<Pick<TransferTerms, 'fromId' | 'toId'> | null> => {
      if (!terms) return null;
      const { fromId, toId } = terms;
      const command = newCommand({ from: { id: fromId, ownerId: userId }, to: { id: toId }, ...terms });
      const [outcome] = await postBatch({ ...books.deps, accounts, journal }, await books.numbered([command]));
      const row = outcome && 'value' in outcome && outcome.value !== 'too_late' ? outcome.value.row : null;
      return row?.status === 'posted' ? { fromId: row.fromId, toId: row.toId } : null;
    },
    /** Returns everything that a user can read about another user's account, and about a transfer between other users. */
    readAs: async (
      userId: number,
      { victim, transferId }: { victim: Account; transferId: number },
    ): Promise<string[]> => {
      const caller = { userId, role: 'customer', name: 'Eve' } as never;
      const reads: [string, () => Promise<unknown>][] = [
        ['the account', () => getAccount({ accounts }, { caller, id: victim.id })],
        [
          'the entries',
          () => listEntries({ accounts, journal }, { caller, id: victim.id, cursor: undefined, limit: 9 }),
        ],
        ['the transfer', () => getTransfer({ journal, directory }, { caller, id: transferId })],
        [
          'the account, in the list',
          async () => {
            const page = await listAccounts({ accounts }, { caller, ownerId: undefined, cursor: 0, limit: 50 });
            if (page.accounts.every(({ ownerId }) => ownerId === userId && page.accounts.length === 1))
              throw new Error('own');
          },
        ],
      ];
      const read: string[] = [];
      for (const [what, attempt] of reads)
        await attempt().then(
          () => read.push(what),
          () => undefined,
        );
      return read;
    },
  };
}
