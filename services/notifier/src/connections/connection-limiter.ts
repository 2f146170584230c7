import { problem } from '@comanda/contracts/problem';
import { networkOf, type ReadClient } from '@comanda/shared/http/client-address';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import type { FeedSocket } from './socket-types.ts';

export type ConnectionLimiter = {
  /**
   * Counts a connection of this caller until it is closed.
   * @throws 429 `rate_limited`
   */
  add: (socket: FeedSocket, caller: Pick<Caller, 'userId' | 'role'>) => void;
};
type Options = {
  maxPerUser: number;
  /** One phone may be many guests: what they take leaves places for the staff of their address. */
  maxOfGuestsPerAddress: number;
  readClient: ReadClient;
};

/** Limits the open connections of each user, and those of all guests and customers of one address. */
export function createConnectionLimiter({ maxPerUser, maxOfGuestsPerAddress, readClient }: Options): ConnectionLimiter {
  const users = createOpenCounter(maxPerUser);
  const guests = createOpenCounter(maxOfGuestsPerAddress);
  return {
    add: ({ conn, request }, { userId, role }) => {
      if (conn.readyState !== 'open') return;
      const user = String(userId);
      const network = role === 'customer' ? networkOf(readClient(request).address) : null;
      if (network !== null && guests.isFull(network))
        throw problem('rate_limited', { detail: 'Guests at your network address have too many open connections.' });
      if (!users.tryAdd(user))
        throw problem('rate_limited', {
          detail: `You already have ${maxPerUser} open connections. Close one first.`,
        });
      if (network !== null) guests.tryAdd(network);
      conn.once('close', () => {
        users.remove(user);
        if (network !== null) guests.remove(network);
      });
    },
  };
}
