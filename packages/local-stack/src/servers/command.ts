import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Folders to search in addition to the PATH. Debian installs servers in sbin, which is not on an ordinary user's PATH, and some
 * shells leave out Homebrew's folder.
 */
const extraFolders = ['/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin'];

/** Returns the path of the executable `name` on the PATH or in a usual folder for servers. Undefined if there is none. */
export function onPath(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...extraFolders];
  return folders
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // The file is missing, or this user may not execute it.
  }
}

export type Finished = { code: number; output: string };

/**
 * Runs a program and returns its exit code and output. The code is 127 if the program can't be started, and 124 if it exceeds
 * `timeoutMs`. Never throws.
 */
export function run(options: {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}): Promise<Finished> {
  const { command, args, env = process.env, timeoutMs = 600_000 } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const done = (code: number): void => {
      clearTimeout(timer);
      resolve({ code, output: output.join('').trim() });
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.once('error', (error) => {
      output.push(String(error));
      done(127);
    });
    child.once('close', (code) => done(code ?? 124));
  });
}

/** Returns the last lines of a program's output, indented. Programs usually print there why they failed. */
export const lastLines = (text: string, count = 6): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
