import type { Who } from '@comanda/client';
import { useEffect } from 'preact/hooks';
import type { Route } from '../state/route.ts';
import './account.css';
import { AccountsPage } from './accounts-page.tsx';
import { followAccounts, forgetAccounts } from './accounts.ts';
import { isLocked, watchIdleness } from './lock.ts';
import { forgetPin, readPin } from './pin.ts';
import { PinPage } from './pin-page.tsx';
import { ReceiptPage } from './receipt-page.tsx';
import { readEvents, SecurityPage } from './security-page.tsx';
import { TransferPage } from './transfer-page.tsx';
import { askAboutNotSent, forgetTransfers, resumePending } from './transfer.ts';
import { UnlockPage } from './unlock-page.tsx';

type AccountRoute = Extract<Route, { page: 'account' }>;

/** What a locked page shows is nothing of the account: everything is read again after it was unlocked. */
function followWhileUnlocked(): () => void {
  void readPin();
  const stop = followAccounts({
    onPosted: () => void askAboutNotSent(),
    onPinEvent: () => {
      void readPin();
      void readEvents();
    },
  });
  void resumePending();
  return () => {
    stop();
    forgetAccounts();
    forgetPin();
  };
}

/** The pages of a signed-in user. Another user begins with none of what this one has left. */
export function SignedInPages({ user, to }: { user: Who; to: AccountRoute }) {
  const locked = isLocked.value;
  useEffect(watchIdleness, []);
  useEffect(() => (locked ? undefined : followWhileUnlocked()), [locked]);
  useEffect(() => forgetTransfers, []);
  if (locked) return <UnlockPage name={user.name} />;
  if (to.part === 'transfer') return <TransferPage />;
  if (to.part === 'pin') return <PinPage />;
  if (to.part === 'security') return <SecurityPage name={user.name} />;
  if (to.part === 'receipt' && to.id !== undefined) return <ReceiptPage key={to.id} id={to.id} />;
  return <AccountsPage />;
}
