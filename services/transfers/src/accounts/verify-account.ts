import { problem, type Problem } from '@comanda/contracts/problem';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PublicKeys } from '@comanda/shared/crypto/statement';
import { toAccount, type AccountDocument } from './account-document.ts';
import { readAccountStatement, type Account, type AccountFacts } from './account.ts';

/**
 * Returns the account in a stored document.
 * @throws 503 `service_unavailable` if its statement differs or has no valid signature
 */
export type VerifyAccount = (document: AccountDocument) => Account;
type Options = { trusted: () => PublicKeys; logger: Logger; countDefect?: () => void };
type Verified = { statement: string; facts: AccountFacts };

const maxRemembered = 50_000;

/**
 * Creates a function that verifies stored accounts. An attacker who can write to the database could give an account to another
 * user, even for only a moment. So an account is trusted only if it matches its signed statement. Each process verifies an
 * account's signature once. After that, it only compares the account's facts with the verified ones.
 */
export function createAccountVerifier({ trusted, logger, countDefect }: Options): VerifyAccount {
  const remembered = new Map<number, Verified>();
  function isGenuine(account: Account, statement: string): boolean {
    if (!hasHead(account)) return false;
    const known = remembered.get(account.id);
    if (known?.statement === statement && isSame(known.facts, account)) return true;
    const facts = typeof statement === 'string' ? readAccountStatement(statement, trusted()) : null;
    if (!facts || !isSame(facts, account)) return false;
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value ?? 0);
    remembered.set(account.id, { statement, facts });
    return true;
  }
  return (document) => {
    const account = toAccount(document);
    if (isGenuine(account, document.statement)) return account;
    logger.error({ account: account.id }, 'an account is not as it was opened; run verify-ledger');
    countDefect?.();
    throw notGenuine();
  };
}

/** Checks the types of the account's newest entry and balance. With other types, the next balance and entry would be wrong. */
const hasHead = ({ balanceMinor, seq, hash }: Account): boolean =>
  typeof balanceMinor === 'bigint' && Number.isSafeInteger(seq) && typeof hash === 'string';

const isSame = (facts: AccountFacts, stored: AccountFacts): boolean =>
  facts.id === stored.id &&
  facts.name === stored.name &&
  facts.ownerId === stored.ownerId &&
  facts.ownerName === stored.ownerName &&
  facts.currency === stored.currency &&
  facts.purpose === stored.purpose &&
  facts.idempotency?.key === stored.idempotency?.key &&
  facts.idempotency?.fingerprint === stored.idempotency?.fingerprint &&
  (stored.createdAt as unknown) instanceof Date &&
  facts.createdAt.getTime() === stored.createdAt.getTime();

const notGenuine = (): Problem =>
  problem(
    'service_unavailable',
    { detail: "An account doesn't match its signed opening. An operator must verify the ledger." },
    { 'Retry-After': '60' },
  );
