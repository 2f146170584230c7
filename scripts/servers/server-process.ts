import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readSync, fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lastLines } from './command.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import { refusal } from './refusal.ts';

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A process that runs: the serving process itself, never a wrapper. */
export type ServerProcess = {
  pid: number;
  identity: ProcessIdentity;
  /** Settles when it has ended, for whatever reason. */
  exited: Promise<Exit>;
  kill: (signal: NodeJS.Signals) => void;
  /** SIGTERM, and SIGKILL when it takes longer than it was given. Resolves when it has ended, also if it had before. */
  stop: () => Promise<void>;
};

export type ServerProcessOptions = {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Where its output goes, appended. */
  logFile: string;
  /** How long it may take to end by itself. 10 seconds by default. */
  stopTimeoutMs?: number;
  /** Is told of the process as soon as there is one, so that it can be ended even if we are not there any more. */
  onSpawn?: OnSpawn | undefined;
};
export type OnSpawn = (process: ProcessIdentity & { name: string }) => void;

/** Starts a process in a group of its own, which a terminal's Ctrl-C does not reach. Rejects if it can't be run. */
export async function startProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { name, command, args, env, cwd, logFile, stopTimeoutMs = 10_000, onSpawn } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(refusal(`${name} can't be run: ${error.message}`, error)));
  });
  const pid = child.pid as number; // there is one once it has spawned
  const identity = identify(pid) ?? { pid, born: 'ended at once' };
  onSpawn?.({ ...identity, name });

  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // one that is frozen can't hear the first
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid, identity, exited, kill: (signal) => void child.kill(signal), stop };
}

/**
 * Waits until `ready` resolves. If the process ends first, or is not ready in time, it is stopped, and the error shows the
 * end of its log.
 */
export async function waitUntilReady(options: {
  name: string;
  process: ServerProcess;
  ready: () => Promise<unknown>;
  logFile: string;
  timeoutMs: number;
}): Promise<void> {
  const { name, process: server, ready, logFile, timeoutMs } = options;
  const deadline = Date.now() + timeoutMs;
  let ended: Exit | undefined;
  void server.exited.then((exit) => (ended = exit));
  for (;;) {
    try {
      // eslint-disable-next-line no-await-in-loop -- asked again and again until it answers
      await ready();
      return;
    } catch (error) {
      const why = ended
        ? `ended (${ended.signal ?? `exit code ${ended.code}`})`
        : `was not ready after ${timeoutMs} ms`;
      if (ended || Date.now() > deadline) {
        // eslint-disable-next-line no-await-in-loop -- the last thing that happens here
        await server.stop();
        throw refusal(`${name} ${why}. The end of its log (${logFile}):\n${lastLines(endOf(logFile))}`, error);
      }
    }
    // eslint-disable-next-line no-await-in-loop -- a pause between two questions
    await delay(50);
  }
}

/** The last 64 KB of a file. */
export function endOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = Buffer.alloc(Math.min(size, 65_536));
    readSync(file, buffer, { position: size - buffer.length });
    return buffer.toString('utf8');
  } finally {
    closeSync(file);
  }
}
