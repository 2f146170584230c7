import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { FeedSocketServer } from './socket-types.ts';

/**
 * Closes all sockets gradually, within `windowMs`. Each socket works until its turn comes. Its client then reconnects to another
 * instance and gets the remaining events there.
 */
export const drainSockets = (io: FeedSocketServer, windowMs: number): Promise<void> =>
  closeGradually([...io.sockets.sockets.values()], { windowMs, close: ({ conn }) => conn.close(true) });
