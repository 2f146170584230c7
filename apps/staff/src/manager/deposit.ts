import type { Answer, Input, PendingCall } from '@comanda/client';
import type { Purpose } from './consent.ts';

export type Account = Answer<'getAccount'>;
export type Transfer = Answer<'deposit'>;
export type Posted = { account: Account; transfer: Transfer };
export type PendingDeposit = PendingCall & { call: 'deposit'; input: Input<'deposit'> };

/** What the dialog shows above the PIN, beside amount and account. */
export const purposeOf = ({ owner_name: owner, currency }: Account): Purpose => ({
  kind: 'deposit',
  owner: owner ?? '',
  currency,
});
