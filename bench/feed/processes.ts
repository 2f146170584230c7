import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ClientsOrder } from './clients.ts';

const start = (file: string): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: ['--conditions=source'] });

async function waitForMessage(child: ChildProcess, expected: string): Promise<void> {
  for (;;) {
    const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(120_000) })) as [unknown];
    if (message === expected) return;
  }
}

export type Clients = {
  /** Resolves when each socket has received all events. */
  done: Promise<void>;
  /** With `reconnects`, resolves when all sockets are open again. */
  untilOpen: () => Promise<void>;
  /** Returns the number of deliveries by latency in milliseconds. Ignores events whose `sentAt` is null. */
  latencies: (sentAt: readonly (number | null)[]) => Promise<Record<number, number>>;
  stop: () => void;
};

/** Starts clients in a separate process. Resolves when all their sockets are open. */
export async function startClients(order: ClientsOrder): Promise<Clients> {
  const child = start('clients.ts');
  const isOpen = waitForMessage(child, 'open');
  child.send(order);
  const done = waitForMessage(child, 'done');
  done.catch(() => undefined); // the caller handles the error
  await isOpen;
  return {
    done,
    untilOpen: () => waitForMessage(child, 'open'),
    latencies: async (sentAt) => {
      const response = once(child, 'message');
      child.send({ sentAt });
      const [message] = (await response) as [{ latencies: Record<number, number> }];
      return message.latencies;
    },
    stop: () => void child.kill(),
  };
}

export async function startRawWs(): Promise<{
  url: string;
  pid: number;
  send: (what: { text: string; times: number }) => void;
  stop: () => void;
}> {
  const child = start('raw-ws.ts');
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, pid: child.pid ?? 0, send: (what) => void child.send(what), stop: () => void child.kill() };
}
