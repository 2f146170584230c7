import type { Answer, Input, PendingCall } from '@comanda/client/core';
import { detailsOfCall } from '@comanda/client/consent';
import type { ManagerConsent } from '../consent/consent.ts';

export type Account = Answer<'getAccount'>;
type Transfer = Answer<'deposit'>;
export type Posted = { account: Account; transfer: Transfer };
export type PendingDeposit = PendingCall & { call: 'deposit'; input: Input<'deposit'> };

/** Deposits cash into this account. `key` is the idempotency key. @throws CallFailure */
export async function deposit(
  consent: ManagerConsent,
  account: Account,
  { input, key }: Pick<PendingDeposit, 'input' | 'key'>,
): Promise<Posted> {
  const purpose = { kind: 'deposit', owner: account.owner_name ?? '' } as const;
  // A deposit that an earlier release has stored has no currency. It is the account's currency.
  const details = detailsOfCall('deposit', { currency: account.currency, ...input });
  return { account, transfer: await consent.run({ call: 'deposit', input, purpose, key, details }) };
}
