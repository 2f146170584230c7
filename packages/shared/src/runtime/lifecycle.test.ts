import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import type { Readable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { testSecrets } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';

let service: ServiceProcess | undefined;
afterEach(() => service?.end('SIGKILL'));

/** Node options that simulate a defect in a library: a signal causes an uncaught error. */
const withDefects = `--import=data:text/javascript,${encodeURIComponent(
  "process.on('SIGUSR2',()=>{throw new Error('a defect')});process.on('SIGHUP',()=>void Promise.reject(new Error('a defect')))",
)}`;

async function startAuthStepup(): Promise<ServiceProcess> {
  const servers = await isolatedServers('lifecycle');
  service = await startServiceProcess('auth-stepup', {
    NODE_OPTIONS: withDefects,
    ...stackSettings({ servers, secrets: testSecrets() })['auth-stepup'],
  });
  await service.ready();
  return service;
}

const logLines = (of: ServiceProcess): { msg: string }[] =>
  of
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });

test.each([
  ['an exception', 'SIGUSR2', 'uncaught exception'],
  ['a rejection', 'SIGHUP', 'unhandled rejection'],
] as const)(
  "%s that isn't caught is logged and ends the process with exit code 1, after the request in flight",
  async (_what, signal, message) => {
    const auth = await startAuthStepup();
    const child = auth.child();
    const ended = once(child, 'close') as Promise<[number | null, string | null]>; // 'close' is emitted after all output was read
    const socket = connect(Number(new URL(auth.url).port), '127.0.0.1');
    let response = '';
    socket.on('data', (chunk: Buffer) => void (response += chunk.toString()));
    socket.on('error', () => undefined); // the response itself shows whether it is complete
    await once(socket, 'connect');
    socket.write(
      'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    );
    await until(async () => (await fetch(`${auth.url}/livez`)).ok, { what: 'the request to have arrived' });

    child.kill(signal);
    await until(() => auth.output().includes(message), { what: 'the log entry' });
    socket.write('}');

    expect(await ended).toEqual([1, null]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(auth.output()).toMatch(new RegExp(`"level":"fatal".*a defect.*"msg":"${message}"`));
    expect(logLines(auth).at(-1)?.msg).toBe('closed');
  },
);

test('SIGTERM closes the service, which logs this and exits with code 0', async () => {
  const auth = await startAuthStepup();
  const ended = once(auth.child(), 'close');
  auth.child().kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const messages = logLines(auth).map((line) => line.msg);
  expect([messages.indexOf('closing') > 0, messages.at(-1)]).toEqual([true, 'closed']);
});

test('mismatched settings found at startup end the service like any invalid setting', async () => {
  const child = spawnService(`
    const start = () => { throw new ConfigError(['A: without B']); };
    await runService({ name: 'any', version: '1.2.3', env: {}, settings: commonSettings(3000), start });`);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];

  expect([code, output]).toEqual([78, expect.stringContaining('A: without B')]);
});

/** Starts a service in a separate process, because a service that ends also ends its process. */
function spawnService(program: string): ChildProcessByStdio<null, Readable, Readable> {
  const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url));
  const imports = `
    import { commonSettings, ConfigError } from ${module('../config/load-config.ts')};
    import { serve } from ${module('../http/serve.ts')};
    import { runService } from ${module('./lifecycle.ts')};`;
  return spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', imports + program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('a service that listens on all addresses logs this and its version, but not its address for local callers', async () => {
  const child = spawnService(`
    const start = (config) => serve((_req, res) => res.end(), config);
    await runService({ name: 'any', version: '1.2.3', env: { HOST: '0.0.0.0', PORT: '0' }, settings: commonSettings(3000), start });`);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const ended = once(child, 'exit');
  try {
    await until(() => output.includes('\n'), { what: 'the log entry' });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  expect(JSON.parse(output.split('\n', 1)[0] ?? '')).toMatchObject({
    msg: 'listening',
    host: '0.0.0.0',
    port: expect.any(Number),
    service: 'any',
    service_version: '1.2.3',
    service_instance: hostname(),
  });
  expect(output).not.toContain('127.0.0.1');
});
