import type { Socket } from 'node:net';
import { Gauge } from 'prom-client';
import { problem } from '@comanda/contracts/problems';
import type { Metrics } from '@comanda/shared/runtime/metrics';

export type Places = {
  /** A place until `socket` closes. @throws 503 `service_unavailable` when all are taken, 429 `rate_limited` for the address's */
  take: (socket: Socket, address: string) => void;
  /** Ends every socket that has a place. */
  close: () => void;
};

/** How many live feeds there may be at once, of all and of one address. */
export function createPlaces(limits: { all: number; address: number }, metrics: Metrics): Places {
  const sockets = new Set<Socket>();
  const ofAddress = new Map<string, number>();
  const gauge = new Gauge({ name: 'live_feeds', help: 'Live feeds through this gateway', registers: [metrics] });

  return {
    take: (socket, address) => {
      const taken = ofAddress.get(address) ?? 0;
      if (sockets.size >= limits.all) throw problem('service_unavailable', {}, { 'Retry-After': '5' });
      if (taken >= limits.address) throw problem('rate_limited', {}, { 'Retry-After': '5' });
      sockets.add(socket);
      ofAddress.set(address, taken + 1);
      gauge.set(sockets.size);
      socket.once('close', () => {
        sockets.delete(socket);
        gauge.set(sockets.size);
        const left = (ofAddress.get(address) ?? 1) - 1;
        if (left > 0) ofAddress.set(address, left);
        else ofAddress.delete(address);
      });
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
