import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testDataDir } from '@comanda/testing/environment';
import { until } from '@comanda/testing/until';
import { root } from './root.ts';
import { freePort } from './servers/free-port.ts';
import { identify, isRunning, type ProcessIdentity } from './servers/process-identity.ts';

type RunFile = Record<string, { url: string; pid: number }>;
const everything = ['mongodb', 'redis', 'rabbitmq', 'auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'];

describe('npm start', () => {
  let folder: string;
  let settings: Record<string, string>;
  let starters: ChildProcess[] = [];
  let output = '';
  beforeEach(async () => {
    mkdirSync(testDataDir(), { recursive: true });
    folder = mkdtempSync(join(testDataDir(), 'start-'));
    // Bound seconds from now: not out of the range from which everybody else takes theirs meanwhile.
    const ports = [await freePort(randomInt(12_000, 15_999)), await freePort(randomInt(16_000, 19_999))];
    settings = { GATEWAY_PORT: String(ports[0]), NOTIFIER_PORT: String(ports[1]), COMANDA_DIR: folder };
    output = '';
  });
  afterEach(async () => {
    for (const starter of starters) starter.kill('SIGKILL'); // and its guardian ends the rest
    starters = [];
    await until(() => !existsSync(join(folder, 'starter.json')), { what: 'the guardians', timeoutMs: 30_000 });
    rmSync(folder, { recursive: true });
  });

  function start(): ChildProcess {
    const { MONGODB_URI: _m, REDIS_URL: _r, RABBITMQ_URL: _q, ...env } = process.env;
    const starter = spawn(process.execPath, ['--conditions=source', join(root, 'scripts/start.ts')], {
      env: { ...env, ...settings },
    });
    for (const stream of [starter.stdout, starter.stderr]) stream.on('data', (text) => (output += String(text)));
    starters.push(starter);
    return starter;
  }
  const readRunFile = (): RunFile => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunFile;

  async function ready(starter: ChildProcess): Promise<{ run: RunFile; processes: ProcessIdentity[] }> {
    await until(
      () => {
        if (starter.exitCode !== null) throw new Error(`it ended:\n${output}`);
        return existsSync(join(folder, 'run.json'));
      },
      { what: `npm start; it says:\n${output}`, timeoutMs: 90_000 },
    );
    const run = readRunFile();
    return { run, processes: Object.values(run).flatMap(({ pid }) => identify(pid) ?? []) };
  }

  test('when it is ready, then all is there; what dies is started again; it stays the only one; killed, all is ended', async () => {
    const starter = start();
    const { run, processes } = await ready(starter);
    expect(Object.keys(run).toSorted()).toEqual(everything.toSorted());
    expect(processes).toHaveLength(everything.length);
    expect((await fetch(`${run['gateway']?.url}/readyz`)).status).toBe(200);
    expect(run['gateway']?.url).toMatch(new RegExp(`:${settings['GATEWAY_PORT']}$`));

    process.kill(run['orders']?.pid ?? 0, 'SIGKILL');
    await until(() => readRunFile()['orders']?.pid !== run['orders']?.pid, { what: 'orders again', timeoutMs: 10_000 });
    const again = identify(readRunFile()['orders']?.pid ?? 0);

    const second = start();
    const [exitCode] = await once(second, 'exit');
    expect(exitCode).toBe(1);
    expect(output).toContain(`it is process ${starter.pid}`);

    starter.kill('SIGKILL');
    await until(() => !existsSync(join(folder, 'starter.json')), { what: 'the guardian', timeoutMs: 30_000 });
    expect([...processes, ...(again ? [again] : [])].filter(isRunning)).toEqual([]);
    expect(existsSync(join(folder, 'run.json'))).toBe(false);
  }, 150_000);

  test('when it is interrupted, then all is ended in order, with exit code 0, and data is kept for the next time', async () => {
    const first = start();
    const { processes } = await ready(first);
    first.kill('SIGINT');
    const [exitCode] = await once(first, 'exit');
    expect({ exitCode, running: processes.filter(isRunning), left: existsSync(join(folder, 'run.json')) }).toEqual({
      exitCode: 0,
      running: [],
      left: false,
    });
    expect(output).toMatch(/ending gateway[^]*ending notifier[^]*ending orders[^]*ending RabbitMQ/);
    expect(output).not.toMatch(/\n\s+at /);

    output = '';
    await ready(start());
    expect(output).not.toContain('setting up the demo house');
    expect(output).not.toContain('setting up the demo house');
  }, 150_000);
});
