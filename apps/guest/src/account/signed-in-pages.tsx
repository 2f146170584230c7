import type { Who } from '@comanda/client/core';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useGuest, useRouter } from '../contexts.ts';
import type { Route } from '../router.ts';
import { AccountContext } from './account-context.ts';
import { openAccountSession, type AccountSession } from './account-session.ts';
import './account.css';
import { AccountsPage } from './accounts-page.tsx';
import { PinPage } from './pin-page.tsx';
import { ReceiptPage } from './receipt-page.tsx';
import { SecurityPage } from './security-page.tsx';
import { TransferPage } from './transfer-page.tsx';
import type { SettledTransfer } from './transfers.ts';
import { UnlockPage } from './unlock-page.tsx';

type AccountRoute = Extract<Route, { page: 'account' }>;

/**
 * Shows the receipt once a transfer was posted. If the user has left the transfer page, shows a notice instead, so that nothing
 * moves under a finger.
 */
function useReceiptAfterTransfer({ transfers: { lastSent, setFound } }: AccountSession): void {
  const { route, replace } = useRouter();
  useSignalEffect(() => {
    const sent = lastSent.value;
    if (!sent) return;
    const { page, part } = { part: undefined, ...route.peek() };
    if (page === 'account' && part === 'transfer') replace({ page, part: 'receipt', id: sent.id });
    else setFound(sent);
  });
}

/** After a reload or a sign-in, opens the page for a transfer that has no response yet. */
function useUnanswered({ lock, transfers }: AccountSession): void {
  const { route, replace } = useRouter();
  useSignalEffect(() => {
    if (lock.isLocked.value || !transfers.resume()) return;
    if (route.peek().page === 'account') replace({ page: 'account', part: 'transfer' });
  });
}

/** The pages of a signed-in user. Nothing from a previous user's session is shown. */
export function SignedInPages({ user, to }: { user: Who; to: AccountRoute }) {
  const { client, announce, setSettled } = useGuest();
  // Another user gets a new instance of this component, so `user` changes here only if the same user takes a seat.
  const [session] = useState(() => openAccountSession({ client, user, announce }));
  useEffect(() => session.close, [session]);
  useReceiptAfterTransfer(session);
  useUnanswered(session);
  const accounts = session.accounts.value;
  const unlocked = useMemo(() => accounts && { ...session, accounts }, [session, accounts]);
  const signOutBy = async (signOut: () => Promise<readonly SettledTransfer[]>): Promise<void> => {
    setSettled(await signOut());
  };
  const onSignOut = (): Promise<void> => signOutBy(session.transfers.signOut);
  if (!unlocked) return <UnlockPage session={session} onSignOut={onSignOut} />;
  return (
    <AccountContext.Provider value={unlocked}>
      {to.part === 'transfer' ? (
        <TransferPage />
      ) : to.part === 'pin' ? (
        <PinPage />
      ) : to.part === 'security' ? (
        <SecurityPage
          onSignOut={onSignOut}
          onSignOutEverywhere={() => signOutBy(session.transfers.signOutEverywhere)}
        />
      ) : to.part === 'receipt' && to.id !== undefined ? (
        <ReceiptPage key={to.id} id={to.id} />
      ) : (
        <AccountsPage />
      )}
    </AccountContext.Provider>
  );
}
