import type { Client, FeedState, Who } from '@comanda/client/core';
import { computed, effect, signal, untracked } from '@preact/signals';
import { createAccounts, type Accounts, type Transfer } from './accounts.ts';
import { quietMs } from '../quiet-ms.ts';
import { openLock } from './lock.ts';
import { openPin } from './pin.ts';
import { openTransfers } from './transfers.ts';

type Options = { client: Client; user: Who; announce: (text: string) => void };
export type AccountSession = ReturnType<typeof openAccountSession>;

/**
 * A signed-in user's money: accounts, transfers, the PIN and the lock. A locked session has no accounts; they are loaded again
 * after it is unlocked.
 */
export function openAccountSession({ client, user, announce }: Options) {
  const lock = openLock(user.userId);
  const pin = openPin(client, lock);
  const accounts = signal<Accounts | null>(null);
  const transfers = openTransfers({ client, lock, pin, accounts });
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** Counts the security events from the feed. */
  const securityNews = signal(0);

  function follow(): () => void {
    const opened = createAccounts({ client, ownerId: user.userId, announce });
    accounts.value = opened;
    const onSecurityNews = (): void => {
      securityNews.value++;
      void pin.read();
    };
    const feed = client.feed({
      quietMs,
      onEvent: ({ type, data }) => {
        if (type.startsWith('security.')) onSecurityNews();
        if (type !== 'transfer.posted') return;
        const { transfer } = data as { transfer: Transfer };
        opened.remember(transfer);
        opened.announcePosted(transfer);
        void opened.read();
        void transfers.lookForNotSent();
      },
      onState: (state) => {
        feedState.value = state;
        if (state.kind !== 'live') return;
        // The feed sends no events for transfers that were posted before it was live.
        void opened.read();
        void transfers.lookForNotSent();
        onSecurityNews();
      },
    });
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void opened.read();
    };
    document.addEventListener('visibilitychange', onVisible);
    void opened.read();
    void pin.read();
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      feed.close();
      feedState.value = { kind: 'connecting' };
      accounts.value = null;
    };
  }
  const stopFollowing = effect(() => (lock.isLocked.value ? undefined : untracked(follow)));
  return {
    client,
    user,
    lock,
    pin,
    transfers,
    /** The user's accounts; null while the session is locked. */
    accounts,
    isFeedLost: computed(() => feedState.value.kind === 'not_live'),
    securityNews,
    close: () => {
      stopFollowing();
      transfers.close();
      pin.close();
      lock.close();
    },
  };
}
