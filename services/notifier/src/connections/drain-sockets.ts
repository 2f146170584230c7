import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { FeedSocketServer } from './socket-types.ts';

/**
 * Closes all sockets over `windowMs`. Each socket works until its turn comes; then its client asks another instance for the
 * events that it has not read yet.
 */
export const drainSockets = (io: FeedSocketServer, windowMs: number): Promise<void> =>
  closeGradually([...io.sockets.sockets.values()], { windowMs, close: ({ conn }) => conn.close(true) });
