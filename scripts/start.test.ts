import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDataDir } from '@comanda/testing/environment';
import { until } from '@comanda/testing/until';
import { publicSignIns, type DemoSignIn } from './demo-sign-ins.ts';
import { root } from './root.ts';
import { freePort } from './servers/free-port.ts';
import { identify, isRunning, type ProcessIdentity } from './servers/process-identity.ts';

type RunFile = Record<string, { url: string; pid: number }>;
const allNames = ['mongodb', 'redis', 'rabbitmq', 'auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'];

describe('npm start', () => {
  let folder: string;
  let settings: Record<string, string>;
  let starters: ChildProcess[] = [];
  let output = '';
  beforeEach(async () => {
    mkdirSync(testDataDir(), { recursive: true });
    folder = mkdtempSync(join(testDataDir(), 'start-'));
    // These ports are bound seconds from now: so they are outside the range from which freePort serves other tests.
    const ports = [await freePort(randomInt(12_000, 15_999)), await freePort(randomInt(16_000, 19_999))];
    settings = { GATEWAY_PORT: String(ports[0]), NOTIFIER_PORT: String(ports[1]), COMANDA_DIR: folder };
    output = '';
  });
  afterEach(async () => {
    for (const starter of starters) starter.kill('SIGKILL'); // its reaper stops the rest
    starters = [];
    await until(() => !existsSync(join(folder, 'starter.json')), { what: 'the reapers', timeoutMs: 30_000 });
    rmSync(folder, { recursive: true });
  });

  function start(...args: string[]): ChildProcess {
    const { MONGODB_URI: _m, REDIS_URL: _r, RABBITMQ_URL: _q, ...env } = process.env;
    const starter = spawn(process.execPath, ['--conditions=source', join(root, 'scripts/start.ts'), ...args], {
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
        if (starter.exitCode !== null) throw new Error(`npm start exited:\n${output}`);
        return existsSync(join(folder, 'run.json'));
      },
      { what: `npm start, with this output:\n${output}`, timeoutMs: 90_000 },
    );
    const run = readRunFile();
    return { run, processes: Object.values(run).flatMap(({ pid }) => identify(pid) ?? []) };
  }

  test('when npm start is killed, then a restarted service was kept running, a second start was refused, and all processes stop', async () => {
    const starter = start();
    const { run, processes } = await ready(starter);

    expect(Object.keys(run).toSorted()).toEqual(allNames.toSorted());
    expect(processes).toHaveLength(allNames.length);
    expect((await fetch(`${run['gateway']?.url}/readyz`)).status).toBe(200);
    expect(run['gateway']?.url).toMatch(new RegExp(`:${settings['GATEWAY_PORT']}$`));

    process.kill(run['orders']?.pid ?? 0, 'SIGKILL');
    await until(() => readRunFile()['orders']?.pid !== run['orders']?.pid, {
      what: 'the restart of orders',
      timeoutMs: 10_000,
    });
    const restarted = identify(readRunFile()['orders']?.pid ?? 0);

    const second = start();
    const [exitCode] = await once(second, 'exit');
    expect(exitCode).toBe(1);
    expect(output).toContain(`as process ${starter.pid}`);

    starter.kill('SIGKILL');
    await until(() => !existsSync(join(folder, 'starter.json')), { what: 'the reaper', timeoutMs: 30_000 });
    expect([...processes, ...(restarted ? [restarted] : [])].filter(isRunning)).toEqual([]);
    expect(existsSync(join(folder, 'run.json'))).toBe(false);
  }, 150_000);

  test('when npm start is interrupted, then all processes stop in order with exit code 0, and the next start keeps the data', async () => {
    const first = start();
    const { processes } = await ready(first);

    first.kill('SIGINT');
    const [exitCode] = await once(first, 'exit');

    expect({
      exitCode,
      running: processes.filter(isRunning),
      runFileExists: existsSync(join(folder, 'run.json')),
    }).toEqual({
      exitCode: 0,
      running: [],
      runFileExists: false,
    });
    expect(output).toMatch(/stopping gateway[^]*stopping notifier[^]*stopping orders[^]*stopping RabbitMQ/);
    expect(output).not.toMatch(/\n\s+at /);

    output = '';
    await ready(start());

    expect(output).not.toContain('setting up the demo data');
  }, 150_000);

  test('when npm start runs with --lan, then the demo has passwords of its own, which the next start prints again', async () => {
    const first = start('--lan');
    const { run } = await ready(first);
    await until(() => output.includes('Ctrl-C'), { what: 'the sign-ins' });
    const printed = /(manager@comanda\.test) +(\S+) +PIN \d{6}/.exec(output);
    const signIn = async (user: DemoSignIn): Promise<number> => {
      const body = JSON.stringify(user);
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${run['gateway']?.url}/auth/login`, { method: 'POST', headers, body })).status;
    };

    expect(await signIn({ email: String(printed?.[1]), password: String(printed?.[2]) })).toBe(200);
    const { managerPin: _pin, ...users } = publicSignIns;
    expect(await Promise.all(Object.values(users).map(signIn))).toEqual([401, 401, 401, 401]);
    expect(output).not.toContain(publicSignIns.manager.password);
    expect(statSync(join(folder, 'data', 'demo-sign-ins.json')).mode & 0o777).toBe(0o600);

    first.kill('SIGINT');
    await once(first, 'exit');
    output = '';
    await ready(start());
    await until(() => output.includes('Ctrl-C'), { what: 'the sign-ins' });

    expect(output).toContain(printed?.[0]);
  }, 150_000);

  test('when the demo has public passwords, then npm start with --lan is refused, and says what to do', async () => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'seeded'), '');

    const [exitCode] = await once(start('--lan'), 'exit');

    expect(exitCode).toBe(1);
    expect(output).toContain('npm start -- --lan --reset');
    expect(existsSync(join(folder, 'data', 'mongodb'))).toBe(false);
  }, 30_000);
});
