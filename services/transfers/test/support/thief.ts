import { getAccount } from '../../src/accounts/get-account.ts';
import { listAccounts } from '../../src/accounts/list-accounts.ts';
import { createAccountDirectory } from '../../src/accounts/account-directory.ts';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import type { Account } from '../../src/accounts/account.ts';
import { createAccountVerifier } from '../../src/accounts/verify-account.ts';
import { checkAccounts, type TransferRequest } from '../../src/transfers/check-accounts.ts';
import { getTransfer } from '../../src/transfers/get-transfer.ts';
import { listEntries } from '../../src/transfers/list-entries.ts';
import { postBatch } from '../../src/transfers/post-batch.ts';
import type { TransferTerms } from '../../src/transfers/transfer.ts';
import { silentLogger } from '@comanda/testing/silent-logger';
import { newCommand } from './books.ts';
import type { SmallLedger } from './small-ledger.ts';

/** What somebody asks of the service. */
export type Attempt = { what: string; userId: number; request: TransferRequest };
type Checked = Attempt & { terms: TransferTerms | null };

/**
 * The use cases of an instance that has just started, so that it remembers no account. Consents are believed: the PIN is
 * that of the user who asks.
 */
export function startInstance({ books, keys }: SmallLedger) {
  const verify = createAccountVerifier({ trusted: () => keys, logger: silentLogger });
  const options = { nextId: () => Promise.reject(new Error('not expected')), signer: books.deps.signer, verify };
  const accounts = createAccountStore(books.connection, options);
  const findDocument = async (id: number) => (await accounts.findUnverified([id]))[0] ?? null;
  const directory = createAccountDirectory({ findDocument, verify });
  const { journal } = books;
  return {
    /** What is checked before the token is spent. */
    check: async (attempt: Attempt): Promise<Checked> => {
      const terms = await checkAccounts({ directory, accounts, clock: Date.now }, attempt).catch(() => null);
      return { ...attempt, terms };
    },
    /** Posts what the checks have let through. Returns whether money moved. */
    post: async ({ userId, terms }: Checked): Promise<boolean> => {
      if (!terms) return false;
      const { fromId, toId } = terms;
      const command = newCommand({ from: { id: fromId, ownerId: userId }, to: { id: toId }, ...terms });
      const [outcome] = await postBatch({ ...books.deps, accounts }, [command]);
      return Boolean(
        outcome && 'value' in outcome && outcome.value !== 'too_late' && outcome.value.row.status === 'posted',
      );
    },
    /** What a user can read of an account that is not theirs, and of a transfer between others. */
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
