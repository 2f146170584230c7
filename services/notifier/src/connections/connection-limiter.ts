import { problem } from '@comanda/contracts/problem';
import { networkOf, type ReadClient } from '@comanda/shared/http/client-address';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { HandshakeLimiter } from './handshake-limiter.ts';
import { createPlaces } from './places.ts';
import type { FeedSocket } from './socket-types.ts';

export type ConnectionLimiter = {
  /**
   * Counts this caller's connection until it closes. At the limit, closes an unresponsive connection to make room. After a
   * rejection, close the new connection, because it may already have been counted.
   * @throws 429 `rate_limited`
   */
  add: (socket: FeedSocket, caller: Pick<Caller, 'userId' | 'role'>) => Promise<void>;
};
type Options = {
  maxPerUser: number;
  /**
   * The maximum number of connections per address for guests and customers. One phone can pose as many guests, and staff at
   * the same address need connections too.
   */
  maxOfGuestsPerAddress: number;
  handshakes: Pick<HandshakeLimiter, 'accept'>;
  readClient: ReadClient;
};

/** Limits the open connections of each user, and of all guests and customers at one address. */
export function createConnectionLimiter(options: Options): ConnectionLimiter {
  const { maxPerUser, handshakes, readClient } = options;
  const takePlaceOfUser = createPlaces(maxPerUser);
  const takePlaceOfGuests = createPlaces(options.maxOfGuestsPerAddress);
  return {
    add: async ({ conn, request }, { userId, role }) => {
      handshakes.accept(request); // comes first, because the client already has a valid token while it waits for a place below
      const network = networkOf(readClient(request).address);
      const [hasPlaceOfGuests, hasPlaceOfUser] = await Promise.all([
        role !== 'customer' || takePlaceOfGuests(network, conn),
        takePlaceOfUser(String(userId), conn),
      ]);
      if (conn.readyState !== 'open') return;
      if (!hasPlaceOfGuests)
        throw problem('rate_limited', {
          detail: 'Guests at your network address have too many open connections. Close one first.',
        });
      if (!hasPlaceOfUser)
        throw problem('rate_limited', {
          detail: `You already have ${maxPerUser} open connections. Close one first.`,
        });
    },
  };
}
