import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One screen for each token. */
export type CrowdOrder = { url: string; tokens: readonly string[] };
export type CrowdStatus = { live: number; told: number };
/** What a screen was told: the subjects of events, in order. */
export type ScreenAccount = { told: number[]; gaps: number; connections: number; refusals: number };
export type CrowdAccount = ScreenAccount[];

export type Crowd = {
  status: () => Promise<CrowdStatus>;
  /** In the order of the tokens. */
  account: () => Promise<CrowdAccount>;
  end: () => Promise<void>;
};

/** Many screens, in a process of their own. */
export function startCrowd(order: CrowdOrder): Crowd {
  const child = fork(fileURLToPath(new URL('crowd-process.ts', import.meta.url)), {
    execArgv: ['--conditions=source'],
  });
  const ended = once(child, 'exit');
  child.send(order);
  async function ask<T>(question: 'status' | 'account'): Promise<T> {
    const answer = once(child, 'message', { signal: AbortSignal.timeout(20_000) });
    child.send(question);
    const [told] = (await answer) as [T];
    return told;
  }
  return {
    status: () => ask('status'),
    account: () => ask('account'),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
