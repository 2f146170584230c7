import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serviceImage } from '../../../scripts/service-image.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A service as its own process, to be stopped, killed and started again on the same port with the same settings. */
export type ServiceProcess = {
  url: string;
  pid: () => number;
  /** Everything that it has written, over all its lives. */
  output: () => string;
  start: () => Promise<void>;
  /** Sends the signal and waits for the end of the process. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  ready: () => Promise<void>;
};

/**
 * Starts `services/<name>/src/main.ts`, or another `file` of the service, with the flags of its image; resolves when it
 * listens, which is before all that it needs is there.
 */
export async function startServiceProcess(
  name: string,
  env: Record<string, string>,
  file = 'src/main.ts',
): Promise<ServiceProcess> {
  const image = serviceImage(name);
  const port = env['PORT'] ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const life = spawn(process.execPath, [...image.flags, '--conditions=source', `services/${name}/${file}`], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...image.env, NODE_ENV: 'test', ...env, PORT: port, HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = life;
    const keep = (chunk: Buffer): void => void (output += chunk.toString());
    life.stdout.on('data', keep);
    life.stderr.on('data', keep);
    await until(
      async () => {
        if (life.exitCode !== null || life.signalCode !== null)
          throw new Error(`${name} ended:\n${output.slice(-2000)}`);
        return (await fetch(`${url}/livez`).catch(() => null))?.ok ?? false;
      },
      { timeoutMs: 20_000, what: `${name} to listen` },
    );
  }
  await start().catch((error: unknown) => {
    child?.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    pid: () => child?.pid ?? 0,
    output: () => output,
    start,
    end: async (signal) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    ready: () =>
      until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false, {
        timeoutMs: 30_000,
        what: `${name} to be ready`,
      }).then(() => undefined),
  };
}

/** What the services have logged of failures that they did not know: a 500 is a defect, whatever was killed. */
export const unknownFailures = (services: readonly ServiceProcess[]): string[] =>
  services.flatMap((service) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('"code":"internal_error"')),
  );
