import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readSync, fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lastLines } from './command.ts';
import { identify, type ProcessIdentity } from '../process-identity.ts';
import { refusal } from './refusal.ts';

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A running server's process. It is the server itself, not a wrapper script. */
export type ServerProcess = {
  pid: number;
  identity: ProcessIdentity;
  /** Resolves when the process has exited for any reason. */
  exited: Promise<Exit>;
  kill: (signal: NodeJS.Signals) => void;
  /** Sends SIGTERM, then SIGKILL after `stopTimeoutMs`. Resolves when the process has exited. */
  stop: () => Promise<void>;
};

export type ServerProcessOptions = {
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The file to which the process's output is appended. */
  logFile: string;
  /** The time between SIGTERM and SIGKILL in milliseconds. The default is 10 seconds. */
  stopTimeoutMs?: number;
  /** Called right after the process was started, so that the reaper knows it even if this process is killed soon afterwards. */
  onSpawn?: OnSpawn | undefined;
};
export type OnSpawn = (process: ProcessIdentity & { name: string }) => void;

/** Starts a process in its own group, so that Ctrl-C in a terminal does not reach it. Rejects if the program can't be run. */
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
  const pid = child.pid as number; // The id is defined once 'spawn' has been emitted.
  const identity = identify(pid) ?? { pid, born: 'exited at once' };
  onSpawn?.({ ...identity, name });

  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // A process paused by SIGSTOP handles SIGTERM only after SIGCONT.
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid, identity, exited, kill: (signal) => void child.kill(signal), stop };
}

/** Explains why a server that was started here exited with SIGILL. */
const olderProcessor =
  'This processor lacks instructions that it needs. MongoDB needs AVX on x86-64, and ARMv8.2 on ARM, such as a Raspberry Pi 5: see "Older processors" in docs/run/locally.md.';

/**
 * Waits until `ready` resolves. Stops the process if it is not ready in time.
 * @throws Refusal with the last lines of the log if the process exits first or is not ready in time
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
  let exit: Exit | undefined;
  void server.exited.then((result) => (exit = result));
  for (;;) {
    try {
      await ready();
      return;
    } catch (error) {
      const reason = exit
        ? `exited (${exit.signal ?? `exit code ${exit.code}`})`
        : `was not ready after ${timeoutMs} ms`;
      if (exit || Date.now() > deadline) {
        await server.stop();
        throw refusal(
          `${name} ${reason}.${exit?.signal === 'SIGILL' ? ` ${olderProcessor}` : ''} The last lines of its log (${logFile}):\n${lastLines(endOf(logFile))}`,
          error,
        );
      }
    }
    await delay(50);
  }
}

/** Returns the last 64 KB of a file. */
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
