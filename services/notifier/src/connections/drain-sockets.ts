import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { FeedSocketServer } from './socket-types.ts';

/**
 * Closes all sockets over `windowMs`. Each socket is served until its turn comes, and then no longer: its client asks the next
 * instance for what it has not read yet.
 */
export const drainSockets = (io: FeedSocketServer, windowMs: number): Promise<void> =>
  closeGradually([...io.sockets.sockets.values()], { windowMs, close: ({ conn }) => conn.close(true) });
