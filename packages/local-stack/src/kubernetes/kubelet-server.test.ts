import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { makeAuthority, makeClientCertificate, makeServerCertificate, type Certificate } from '../certificates.ts';
import { startKubeletServer } from './kubelet-server.ts';
import { chosenLines } from './pod-logs.ts';
import type { RunningPod } from './run-pod.ts';

describe('what the API server asks a kubelet for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-'));
  const logFile = join(folder, 'log');
  const firstLife = 'first: 78\n';
  const ended: RunningPod = {
    address: '10.244.0.2',
    process: { command: '', args: [], cwd: folder, env: { PORT: '3001', KEPT: 'a b' } },
    logFile,
    logStarts: () => [0, firstLife.length],
    pid: () => null,
    stop: () => Promise.resolve(),
  };
  const runningLog = join(folder, 'running');
  let isRunning = true;
  const running = { ...ended, logFile: runningLog, logStarts: () => [0], pid: () => (isRunning ? 1 : null) };
  let authority: Certificate;
  let client: Certificate;
  let server: Awaited<ReturnType<typeof startKubeletServer>>;
  beforeAll(async () => {
    writeFileSync(logFile, `${firstLife}second\nthird\n`);
    authority = await makeAuthority('test');
    client = await makeClientCertificate(authority);
    const credentials = { ...(await makeServerCertificate(['127.0.0.1'], authority)), ca: authority.cert };
    writeFileSync(runningLog, 'first\n');
    const pods = new Map([
      ['orders-1', ended],
      ['orders-2', running],
    ]);
    server = await startKubeletServer({ credentials, pods, onSpawn: () => undefined });
  });
  afterAll(() => {
    server?.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(path: string, certificate: Partial<Certificate> = client): Promise<IncomingMessage> {
    const sent = request({ ...certificate, ca: authority.cert, host: '127.0.0.1', port: server.port, path }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }
  const textOf = async (answer: IncomingMessage): Promise<string> =>
    Buffer.concat((await answer.toArray()) as Buffer[]).toString();
  const logs = async (query = ''): Promise<unknown[]> => {
    const answer = await ask(`/containerLogs/comanda/orders-1/orders${query}`);
    return [answer.statusCode, await textOf(answer)];
  };

  type Outcome = { status: string; details?: object; message?: string };
  /** Gives what was printed on each of both channels, and how it ended. */
  async function exec(command: readonly string[], { flags = '', typed }: { flags?: string; typed?: string } = {}) {
    const query = `${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&output=1&error=1${flags}`;
    const url = `wss://127.0.0.1:${server.port}/exec/comanda/orders-1/orders?${query}`;
    const socket = new WebSocket(url, 'v5.channel.k8s.io', { ...client, ca: authority.cert });
    const printed = { out: '', err: '', outcome: '' };
    const names = [undefined, 'out', 'err', 'outcome'] as const;
    socket.on('message', (message: Buffer) => {
      const name = names[message[0] ?? 0];
      if (name) printed[name] += message.subarray(1).toString();
    });
    socket.on('open', () => {
      if (typed === undefined) return;
      socket.send(Buffer.from(`\0${typed}`));
      socket.send(Buffer.from([255, 0]));
    });
    const [code] = (await once(socket, 'close')) as [number];
    return { code, out: printed.out, err: printed.err, outcome: JSON.parse(printed.outcome) as Outcome };
  }

  test('when logs are asked for, then they are of the last life of the container', async () => {
    expect(await logs()).toEqual([200, 'second\nthird\n']);
  });

  test('when the previous logs are asked for, then they are of the life before it', async () => {
    expect(await logs('?previous=true')).toEqual([200, firstLife]);
  });

  test('when logs are followed, then what is written later comes too, until the container has ended', async () => {
    const answer = await ask('/containerLogs/comanda/orders-2/orders?follow=true&tailLines=0');
    appendFileSync(runningLog, 'second\n');
    await once(answer, 'readable');
    isRunning = false;

    expect(await textOf(answer)).toBe('second\n');
  });

  test.each([
    {
      what: 'logs with what it does not know',
      path: '/orders-1/orders?timestamps=true',
      status: 400,
      why: 'timestamps',
    },
    { what: 'logs of no pod', path: '/orders-9/orders', status: 404, why: 'orders-9' },
  ])('when it is asked for $what, then it refuses and says why', async ({ path, status, why }) => {
    const answer = await ask(`/containerLogs/comanda${path}`);

    expect([answer.statusCode, await textOf(answer)]).toEqual([status, expect.stringContaining(why)]);
  });

  test('when it is asked for something else, then it says that it has none', async () => {
    const answer = await ask('/portForward/comanda/orders-1');

    expect([answer.statusCode, await textOf(answer)]).toEqual([404, 'this kubelet has no portForward']);
  });

  test('when somebody without a certificate asks, then there is no answer', async () => {
    await expect(ask('/containerLogs/comanda/orders-1/orders', {})).rejects.toThrow(/certificate/);
  });

  test('when a command runs, then with the settings of the pod, and 127.0.0.1 is the pod', async () => {
    const code = "console.log(process.env.KEPT, 'http://127.0.0.1:3001'); console.error(process.cwd())";

    const { code: closed, out, err, outcome } = await exec(['node', '-e', code]);

    expect(closed).toBe(1000); // kubectl fails otherwise
    expect([out, err]).toEqual(['a b http://127.244.0.2:3001\n', `${folder}\n`]);
    expect(outcome.status).toBe('Success');
  });

  test('when a command fails, then its exit code is told', async () => {
    const { outcome } = await exec(['sh', '-c', 'exit 7']);

    expect(outcome).toMatchObject({ reason: 'NonZeroExitCode', details: { causes: [{ message: '7' }] } });
  });

  test('when there is no such program, then it says so', async () => {
    const { outcome } = await exec(['no-such-program']);

    expect(outcome).toMatchObject({ status: 'Failure', message: expect.stringContaining('no-such-program') });
  });

  test('when something is typed, then the command reads it', async () => {
    expect(await exec(['cat'], { flags: '&input=1', typed: 'typed' })).toMatchObject({ out: 'typed' });
  });

  test('when a terminal is asked for, then the command has one', async () => {
    const { out, outcome } = await exec(['node', '-p', '[process.stdout.isTTY, "it\'s"]'], { flags: '&tty=1' });

    expect(out).toContain('true');
    expect(out).toContain("it's");
    expect(outcome.status).toBe('Success');
  });
});

describe('the lines of a log that are asked for', () => {
  const lineAt = (time: string): string => `{"time":"${time}","msg":"x"}\n`;
  const old = lineAt('2026-01-01T10:00:00.000Z');
  const text = `${old}stack\n${lineAt('2026-01-01T10:09:59.000Z')}a trace of it\n`;
  const now = Date.parse('2026-01-01T10:10:00.000Z');

  test.each([
    ['all', '', text],
    ['those since 10 s', 'sinceSeconds=10', text.slice(text.indexOf('stack') + 6)],
    ['those since 0 s', 'sinceSeconds=0', ''],
    ['the last one', 'tailLines=1', 'a trace of it\n'],
    ['none', 'tailLines=0', ''],
    ['the first bytes', 'limitBytes=6', text.slice(0, 6)],
  ])('when %s are asked for, then these are given', (_what, query, expected) => {
    expect(chosenLines(text, new URLSearchParams(query), now)).toBe(expected);
  });
});
