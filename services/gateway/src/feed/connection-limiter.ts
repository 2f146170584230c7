import type { Socket } from 'node:net';
import { Gauge } from 'prom-client';
import { problem } from '@comanda/contracts/problem';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type ConnectionLimiter = {
  /**
   * Counts `socket` until it closes.
   * @throws 503 `service_unavailable` if there are too many sockets, 429 `rate_limited` if the address has too many
   */
  add: (socket: Socket, address: string) => void;
  /** Destroys every socket that is counted. */
  close: () => void;
};

/** Limits how many live feeds are open at once, in total and for each address. */
export function createConnectionLimiter(
  limits: { total: number; perAddress: number },
  metrics: Metrics,
): ConnectionLimiter {
  const sockets = new Set<Socket>();
  const countByAddress = new Map<string, number>();
  const gauge = new Gauge({ name: 'live_feeds', help: 'Open live feeds', registers: [metrics] });

  function remove(socket: Socket, address: string): void {
    sockets.delete(socket);
    gauge.set(sockets.size);
    const count = (countByAddress.get(address) ?? 1) - 1;
    if (count > 0) countByAddress.set(address, count);
    else countByAddress.delete(address);
  }

  return {
    add: (socket, address) => {
      const count = countByAddress.get(address) ?? 0;
      if (sockets.size >= limits.total) throw problem('service_unavailable', {}, { 'Retry-After': '5' });
      if (count >= limits.perAddress) throw problem('rate_limited', {}, { 'Retry-After': '5' });
      sockets.add(socket);
      countByAddress.set(address, count + 1);
      gauge.set(sockets.size);
      socket.once('close', () => remove(socket, address));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
