import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Peer = { url: string; pid: number; end: () => void };

/** Starts a file in this folder as a process, and waits for the URL that it prints. */
export async function startPeer(
  file: string,
  {
    env,
    args = [],
    flags = ['--conditions=source'],
  }: { env: Record<string, string>; args?: readonly string[]; flags?: readonly string[] },
): Promise<Peer> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [...flags, path, ...args], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it listened`);
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer];
  ended.catch(() => undefined); // the caller kills the process later, which is not an error
  return { url: line.toString().trim(), pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') };
}
