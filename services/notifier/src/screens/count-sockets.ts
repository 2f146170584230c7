import { problem } from '@comanda/contracts/problems';
import type { FeedSocket } from './wire.ts';

/** Counts the sockets of each user, from the moment that one is let in until its connection is closed. */
export function countSockets(mostPerUser: number): { add: (socket: FeedSocket, userId: number) => void } {
  const open = new Map<number, number>();
  const remove = (userId: number): void => {
    const left = (open.get(userId) ?? 0) - 1;
    if (left > 0) open.set(userId, left);
    else open.delete(userId);
  };
  return {
    /** @throws 429 `rate_limited` */
    add: ({ conn }, userId) => {
      const before = open.get(userId) ?? 0;
      if (before >= mostPerUser) throw problem('rate_limited', { detail: `You have ${before} sockets open already.` });
      if (conn.readyState !== 'open') return;
      open.set(userId, before + 1);
      conn.once('close', () => remove(userId));
    },
  };
}
