import { CallFailure } from '@comanda/client/core';
import { useEffect, useState } from 'preact/hooks';
import { readOwnAccounts } from '../account/read-own-accounts.ts';
import { useGuest } from '../contexts.ts';
import { onDeviceLater } from '../on-device-later.ts';

/**
 * Returns true if this guest can pay from an account: the user has one in this currency, or a user with an account was signed in on
 * this phone before. No one else is offered one.
 */
export function useHasAccount(currency: string): boolean {
  const { client, seat } = useGuest();
  const who = seat.who.value;
  const customerId = who?.role === 'customer' && !who.isGuest ? who.userId : null;
  const [owner, setOwner] = useState<number | null>(null);
  useEffect(() => {
    let isLeft = false;
    async function look(userId: number): Promise<void> {
      try {
        const accounts = await readOwnAccounts(client, userId);
        if (!isLeft && accounts.some((account) => account.currency === currency)) setOwner(userId);
      } catch (error) {
        // The other ways to pay need no account.
        if (!(error instanceof CallFailure)) throw error;
      }
    }
    if (customerId !== null) void look(customerId);
    return () => {
      isLeft = true;
    };
  }, [client, customerId, currency]);
  return customerId === null ? onDeviceLater.activity.get() !== null : owner === customerId;
}
