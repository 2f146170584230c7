import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A request to connect one client for each token. */
export type CrowdOrder = { url: string; tokens: readonly string[] };
export type CrowdStatus = { live: number; received: number };
/** A client's record. `received` contains the subjects of its events in order. */
export type ClientRecord = { received: number[]; gaps: number; connections: number; refusals: number };

export type Crowd = {
  status: () => Promise<CrowdStatus>;
  /** Returns the clients' records in the order of their tokens. */
  records: () => Promise<ClientRecord[]>;
  end: () => Promise<void>;
};

export function startCrowd(order: CrowdOrder): Crowd {
  const child = fork(fileURLToPath(new URL('crowd-process.ts', import.meta.url)), {
    execArgv: ['--conditions=source'],
  });
  const ended = once(child, 'exit');
  child.send(order);
  async function ask<T>(question: 'status' | 'records'): Promise<T> {
    const response = once(child, 'message', { signal: AbortSignal.timeout(20_000) });
    child.send(question);
    const [reply] = (await response) as [T];
    return reply;
  }
  return {
    status: () => ask('status'),
    records: () => ask('records'),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
