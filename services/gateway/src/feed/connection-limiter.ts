import type { Socket } from 'node:net';
import { problem } from '@comanda/contracts/problem';
import { closeGradually } from '@comanda/shared/runtime/close-gradually';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { createOpenCounter } from '../limits/open-counter.ts';
import { createLiveFeedMetrics } from './live-feed-metrics.ts';

export type ConnectionLimiter = {
  /**
   * Counts `socket` until it closes.
   * @throws 503 `service_unavailable` if there are too many sockets or the limiter is closing, 429 `rate_limited` if the
   * network has too many
   */
  add: (socket: Socket, network: string) => void;
  /** Takes no more sockets, and destroys those that are counted, over `windowMs`. */
  close: (windowMs: number) => Promise<void>;
};

/** Limits how many live feeds are open at once, in total and for each network. */
export function createConnectionLimiter(
  limits: { total: number; perAddress: number },
  metrics: Metrics,
): ConnectionLimiter {
  const sockets = new Set<Socket>();
  const networks = createOpenCounter(limits.perAddress);
  const { open } = createLiveFeedMetrics(metrics);
  let isClosing = false;

  function remove(socket: Socket, network: string): void {
    sockets.delete(socket);
    open.set(sockets.size);
    networks.remove(network);
  }

  return {
    add: (socket, network) => {
      if (isClosing || sockets.size >= limits.total) throw problem('service_unavailable', {}, { 'Retry-After': '5' });
      if (!networks.tryAdd(network)) throw problem('rate_limited', {}, { 'Retry-After': '5' });
      sockets.add(socket);
      open.set(sockets.size);
      socket.once('close', () => remove(socket, network));
    },
    close: async (windowMs) => {
      isClosing = true;
      await closeGradually([...sockets], { windowMs, close: (socket) => socket.destroy() });
    },
  };
}
