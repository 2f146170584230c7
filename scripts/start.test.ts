import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { builtApps } from '@comanda/testing/built-apps';
import { testDataDir } from '@comanda/testing/environment';
import { until } from '@comanda/testing/until';
import { publicSignIns, type DemoSignIn } from '@comanda/local-stack/demo-sign-ins';
import { root } from '@comanda/local-stack/root';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { identify, isRunning, type ProcessIdentity } from '@comanda/local-stack/process-identity';

type RunFile = Record<string, { url: string; pid: number }>;
const allNames = ['mongodb', 'redis', 'rabbitmq', 'auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'];

/** Creates functions that run npm start in a new folder. */
async function createStarter() {
  mkdirSync(testDataDir(), { recursive: true });
  const folder = mkdtempSync(join(testDataDir(), 'start-'));
  // npm start binds these ports only seconds later, so they must be outside the range that `freePort` uses in other tests.
  const ports = [await freePort(randomInt(12_000, 15_999)), await freePort(randomInt(16_000, 19_999))];
  const settings = { GATEWAY_PORT: String(ports[0]), NOTIFIER_PORT: String(ports[1]), COMANDA_DIR: folder };
  const starters: ChildProcess[] = [];

  function start(...args: string[]): { starter: ChildProcess; exited: Promise<unknown[]>; output: () => string } {
    const { MONGODB_URI: _m, REDIS_URL: _r, RABBITMQ_URL: _q, ...env } = process.env;
    const starter = spawn(process.execPath, ['--conditions=source', join(root, 'scripts/start.ts'), ...args], {
      env: { ...env, ...settings },
    });
    let output = '';
    for (const stream of [starter.stdout, starter.stderr]) stream.on('data', (text) => (output += String(text)));
    starters.push(starter);
    return { starter, exited: once(starter, 'exit'), output: () => output };
  }
  const readRunFile = (): RunFile => JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunFile;

  return {
    folder,
    settings,
    readRunFile,
    start,
    /** Runs npm start and waits until it explains how to stop it. */
    startReady: async (...args: string[]) => {
      const started = start(...args);
      await until(
        () => {
          if (started.starter.exitCode !== null) throw new Error(`npm start exited:\n${started.output()}`);
          return existsSync(join(folder, 'run.json')) && started.output().includes('Ctrl-C');
        },
        { what: 'npm start', timeoutMs: 140_000 },
      ).catch((error: unknown) => {
        throw new Error(`npm start printed:\n${started.output()}`, { cause: error });
      });
      const run = readRunFile();
      return { ...started, run, processes: Object.values(run).flatMap(({ pid }) => identify(pid) ?? []) };
    },
    discard: async () => {
      for (const starter of starters) starter.kill('SIGKILL'); // the starters' reapers stop all other processes
      await until(() => !existsSync(join(folder, 'starter.json')), { what: 'the reapers', timeoutMs: 30_000 });
      rmSync(folder, { recursive: true });
    },
  };
}
type Starter = Awaited<ReturnType<typeof createStarter>>;

async function signIn(gatewayUrl: string, user: DemoSignIn): Promise<number> {
  const body = JSON.stringify(user);
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${gatewayUrl}/auth/login`, { method: 'POST', headers, body })).status;
}

async function startGuestSession(gatewayUrl: string, tableAddress: string): Promise<number> {
  const body = JSON.stringify({ table_token: new URL(tableAddress).searchParams.get('t') });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${gatewayUrl}/auth/guest`, { method: 'POST', headers, body })).status;
}

/** Runs a scenario that all tests share, because every start takes seconds. Each test checks one observation from it. */
async function runScenario(starter: Starter) {
  const first = await starter.startReady('--lan');
  const gatewayUrl = String(first.run['gateway']?.url);
  const authority = readFileSync(join(starter.folder, 'lan', 'comanda-authority.crt'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), authority]);
  const printed = /(manager@comanda\.test) +(\S+) +PIN \d{6}/.exec(first.output());
  const { managerPin: _pin, ...publicUsers } = publicSignIns;
  const ready = {
    gatewayStatus: (await fetch(`${gatewayUrl}/readyz`)).status,
    signInAsPrinted: await signIn(gatewayUrl, { email: String(printed?.[1]), password: String(printed?.[2]) }),
    publicSignIns: await Promise.all(Object.values(publicUsers).map((user) => signIn(gatewayUrl, user))),
    guestAtTable12: await startGuestSession(gatewayUrl, String(/table 12 +(\S+)/.exec(first.output())?.[1])),
    signInsFileMode: statSync(join(starter.folder, 'data', 'demo-sign-ins.json')).mode & 0o777,
  };

  const ordersPid = first.run['orders']?.pid;
  process.kill(ordersPid ?? 0, 'SIGKILL');
  await until(() => starter.readRunFile()['orders']?.pid !== ordersPid, {
    what: 'the restart of orders',
  });
  const processesOfFirst = [...first.processes, identify(starter.readRunFile()['orders']?.pid ?? 0)];

  const second = starter.start();
  const [secondExitCode] = await second.exited;

  const stop = starter.start('--stop'); // has the same effect as Ctrl-C in the first terminal
  const [firstExitCode] = await first.exited;
  await stop.exited;
  const interrupted = stateAfter(starter, processesOfFirst);

  const keptFiles = ['seeded', 'mongodb', 'rabbitmq'].filter((name) => existsSync(join(starter.folder, 'data', name)));

  return {
    first: { ...first, exitCode: firstExitCode, pid: first.starter.pid, text: first.output() },
    ready,
    printed: String(printed?.[0]),
    second: { exitCode: secondExitCode, text: second.output() },
    interrupted,
    stopText: stop.output(),
    keptFiles,
  };
}

const stateAfter = (starter: Starter, processes: readonly (ProcessIdentity | undefined)[]) => ({
  running: processes.filter((each) => each !== undefined && isRunning(each)),
  runFileExists: existsSync(join(starter.folder, 'run.json')),
});

describe('with npm start -- --lan', () => {
  let starter: Starter;
  let seen: Awaited<ReturnType<typeof runScenario>>;
  beforeAll(async () => {
    starter = await createStarter();
    const { TABLE_APP_FOLDER } = await builtApps(); // builds the apps that npm start serves
    cpSync(dirname(TABLE_APP_FOLDER), join(starter.folder, 'apps'), { recursive: true });
    seen = await runScenario(starter);
  }, 290_000);
  afterAll(() => starter.discard());

  test('every server and service uses its configured port', () => {
    expect(Object.keys(seen.first.run).toSorted()).toEqual(allNames.toSorted());
    expect(seen.first.processes).toHaveLength(allNames.length);
    expect(seen.ready.gatewayStatus).toBe(200);
    expect(seen.first.run['gateway']?.url).toMatch(new RegExp(`:${starter.settings.GATEWAY_PORT}$`));
  });

  test('the demo has its own passwords', () => {
    expect(seen.ready.signInAsPrinted).toBe(200);
    expect(seen.ready.publicSignIns).toEqual([401, 401, 401, 401]);
    expect(seen.first.text).not.toContain(publicSignIns.manager.password);
    expect(seen.ready.signInsFileMode).toBe(0o600);
  });

  test('a guest can take a seat with the printed address for table 12', () => {
    expect(seen.ready.guestAtTable12).toBe(200);
  });

  test('the printed message explains how a phone can trust the HTTPS certificate', () => {
    expect(seen.first.run['gateway']?.url).toMatch(/^https:/);
    expect(seen.first.text).toMatch(/kitchen +https:[^]*phones +warn until they trust \S+comanda-authority\.crt/);
  });

  test('a killed service is restarted', () => {
    expect(seen.first.text).toMatch(/orders exited \(SIGKILL\)[^]*orders runs again/);
  });

  test("a second start is rejected with the running process's id", () => {
    expect(seen.second.exitCode).toBe(1);
    expect(seen.second.text).toContain(`as process ${seen.first.pid}`);
  });

  test('a stop from another terminal ends all processes in order', () => {
    expect({ exitCode: seen.first.exitCode, ...seen.interrupted }).toEqual({
      exitCode: 0,
      running: [],
      runFileExists: false,
    });
    expect(seen.stopText).toBe('stopped\n');
    expect(seen.first.text).toMatch(
      /stopping: asked to stop \(SIGTERM\)[^]*stopping gateway[^]*stopping notifier[^]*stopping orders[^]*stopping RabbitMQ/,
    );
    expect(seen.first.text).not.toMatch(/\n\s+at /);
  });

  test('the data is still there after npm start has stopped', () => {
    expect(seen.first.text).toContain('setting up the demo data');
    expect(seen.keptFiles).toEqual(['seeded', 'mongodb', 'rabbitmq']);
  });
});

test('npm start -- --empty is rejected while there is demo data', async () => {
  const starter = await createStarter();
  mkdirSync(join(starter.folder, 'data'));
  writeFileSync(join(starter.folder, 'data', 'seeded'), '');
  const { starter: refused, output } = starter.start('--empty');

  const [exitCode] = await once(refused, 'exit');

  expect(exitCode).toBe(1);
  expect(output()).toContain('npm start -- --empty --reset');
  expect(existsSync(join(starter.folder, 'data', 'mongodb'))).toBe(false);
  await starter.discard();
});

test('npm start -- --lan is rejected while the demo has public passwords', async () => {
  const starter = await createStarter();
  mkdirSync(join(starter.folder, 'data'));
  writeFileSync(join(starter.folder, 'data', 'seeded'), '');
  const { starter: refused, output } = starter.start('--lan');

  const [exitCode] = await once(refused, 'exit');

  expect(exitCode).toBe(1);
  expect(output()).toContain('npm start -- --lan --reset');
  expect(existsSync(join(starter.folder, 'data', 'mongodb'))).toBe(false);
  await starter.discard();
});
