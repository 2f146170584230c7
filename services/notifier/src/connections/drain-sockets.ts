import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { FeedSocketServer } from './socket-types.ts';

/** Closes all sockets over `windowMs`. Each socket is served until its turn comes. */
export const drainSockets = (io: FeedSocketServer, windowMs: number): Promise<void> =>
  closeGradually([...io.sockets.sockets.values()], { windowMs, close: ({ conn }) => conn.close() });
