import { problem } from '@comanda/contracts/problem';
import type { FeedSocket } from './socket-types.ts';

export type ConnectionLimiter = {
  /**
   * Counts a connection of this user until it is closed.
   * @throws 429 `rate_limited`
   */
  add: (socket: FeedSocket, userId: number) => void;
};

/** Allows each user `maxPerUser` open connections. */
export function createConnectionLimiter(maxPerUser: number): ConnectionLimiter {
  const open = new Map<number, number>();
  const remove = (userId: number): void => {
    const left = (open.get(userId) ?? 0) - 1;
    if (left > 0) open.set(userId, left);
    else open.delete(userId);
  };
  return {
    add: ({ conn }, userId) => {
      const before = open.get(userId) ?? 0;
      if (before >= maxPerUser)
        throw problem('rate_limited', { detail: `You already have ${before} open connections. Close one first.` });
      if (conn.readyState !== 'open') return;
      open.set(userId, before + 1);
      conn.once('close', () => remove(userId));
    },
  };
}
