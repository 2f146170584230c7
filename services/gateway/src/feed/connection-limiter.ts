import type { Socket } from 'node:net';
import { problem } from '@comanda/contracts/problem';
import { createSocketQueues } from '@comanda/shared/http/socket-queues';
import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { createOpenCounter } from '@comanda/shared/runtime/open-counter';
import { createLiveFeedMetrics } from './live-feed-metrics.ts';

export type ConnectionLimiter = {
  /**
   * Adds a socket that the notifier has not accepted yet. Returns a function to call once the notifier has accepted the socket.
   * From then on, the socket counts as a live feed until it closes. If there are too many live feeds at that moment, the socket
   * is destroyed.
   * @throws 503 `service_unavailable` if there are too many live feeds or the limiter is closing, 429 `rate_limited` if the
   * network has too many
   */
  add: (socket: Socket, network: string) => () => void;
  /** Rejects new sockets and destroys the open ones, spread over `windowMs`. */
  close: (windowMs: number) => Promise<void>;
};
type Limit = { total: number; perAddress: number };
export type FeedLimits = {
  /** The limit for live feeds: sockets of clients that the notifier has accepted. */
  accepted: Limit;
  /** The limit for sockets that have no valid token yet. They do not use up places for live feeds. */
  pending: Limit;
};

/** Creates a limiter for how many live feeds may be open at the same time, in total and for each network. */
export function createConnectionLimiter(limits: FeedLimits, metrics: Metrics): ConnectionLimiter {
  const sockets = new Set<Socket>();
  const pending = createSocketQueues(limits.pending);
  const networks = createOpenCounter(limits.accepted.perAddress);
  const { open } = createLiveFeedMetrics(metrics);
  const state = { accepted: 0, isClosing: false };
  const isFull = (): boolean => state.accepted >= limits.accepted.total;

  function accept(socket: Socket, network: string): void {
    if (pending.remove(socket) === null) return;
    if (isFull() || !networks.tryAdd(network)) return void socket.destroy();
    state.accepted++;
    socket.once('close', () => {
      state.accepted--;
      networks.remove(network);
    });
  }
  return {
    add: (socket, network) => {
      if (state.isClosing || isFull()) throw problem('service_unavailable', {}, { 'Retry-After': '5' });
      if (networks.isFull(network)) throw problem('rate_limited', {}, { 'Retry-After': '5' });
      pending.add(socket, network);
      sockets.add(socket);
      open.set(sockets.size);
      socket.once('close', () => {
        pending.remove(socket);
        sockets.delete(socket);
        open.set(sockets.size);
      });
      return () => accept(socket, network);
    },
    close: async (windowMs) => {
      state.isClosing = true;
      await closeGradually([...sockets], { windowMs, close: (socket) => socket.destroy() });
    },
  };
}
