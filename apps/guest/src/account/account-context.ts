import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AccountSession } from './account-session.ts';
import type { Accounts } from './accounts.ts';

/** An account session while it isn't locked, so its accounts are available. */
export type UnlockedSession = Omit<AccountSession, 'accounts'> & { accounts: Accounts };

export const AccountContext = createContext<UnlockedSession | null>(null);
export function useAccount(): UnlockedSession {
  const session = useContext(AccountContext);
  if (!session) throw new Error('This part of the page is shown to signed-in users only.');
  return session;
}
