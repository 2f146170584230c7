import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import * as fc from 'fast-check';
import { caller } from '@comanda/testing/call';
import type { Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { freePort, startServiceProcess } from '@comanda/testing/service-process';
import type { ServiceProcess } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { startAuthStepupHarness } from './support/harness.ts';
import { password } from '@comanda/testing/credentials';
import type { AuthStepupHarness } from './support/harness.ts';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import type { TestClock } from '@comanda/testing/test-clock';
import { LockoutModel } from './support/lockout-model.ts';
import type { Place } from './support/lockout-model.ts';
import { createPin, otherPin, pin, pinState, resetKey, tokenFor, transferKey, wrongPin } from './support/pins.ts';

/**
 * The lockout against the model once more, whole: over HTTP, with bcrypt, in processes that are stopped in the middle of
 * a check and go on, or are killed. Fewer sequences than without all that, each of everything that can happen.
 */
const second = 1000;
let auth: AuthStepupHarness;
let redis: OwnServer;
let clock: TestClock;
let folder: string;
let manager: TestUser;
let processes: ServiceProcess[];

function tellTime(): void {
  const next = join(folder, 'next');
  writeFileSync(next, String(clock()));
  renameSync(next, join(folder, 'now'));
}
beforeAll(async () => {
  clock = createTestClock();
  folder = mkdtempSync(join(tmpdir(), 'clock-'));
  tellTime();
  redis = await startOwnServer('redis');
  auth = await startAuthStepupHarness({ clock, servers: { ...(await isolatedServers('lockout')), redisUrl: redis.url } });
  const start = async (): Promise<ServiceProcess> => {
    const env = { ...auth.env, PORT: String(await freePort()), CLOCK_FILE: join(folder, 'now') };
    return startServiceProcess('auth-stepup', env, 'test/support/clocked-process.ts');
  };
  processes = await Promise.all([start(), start()]);
  await Promise.all(processes.map((each) => each.ready()));
  manager = await auth.manager();
  await createPin(auth, manager);
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end('SIGKILL')));
  await auth.close();
  await redis.discard();
  rmSync(folder, { recursive: true });
});

type Held = { outcome: Promise<string>; process: ServiceProcess; tried: string; place: Place; unsure: boolean };
/** `ana`'s token is of now: a sign-in for each time that time has passed. */
type Real = { ana: TestUser; held: Held[]; heldInAll: number };

const told = async (asked: Promise<Called>): Promise<string> => {
  const { status, body } = await asked;
  if (status < 300) return 'right';
  return body.attempts_remaining === undefined ? body.code : `${body.code} ${body.attempts_remaining}`;
};
const tryAt = (url: string, { token }: TestUser, tried: string): Promise<Called> =>
  caller(url, { token })('POST', '/security/step-up', {
    body: { endpoint_key: transferKey, transaction_password: tried },
  });
const tryPin = ({ ana }: Real, tried: string): Promise<string> => told(tryAt(auth.url, ana, tried));

async function hashesBegun({ url }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^comanda_hashes_total\{[^}]*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
const places = async ({ ana }: Real): Promise<string[]> =>
  (await auth.redis.hkeys(`attempts:{${ana.id}}`)).filter((field) => !['wrong', 'until', 'pin'].includes(field));

type Step = { name: string; run: (model: LockoutModel, real: Real) => Promise<void>; toString: () => string };
const step = (name: string, run: Step['run']): Step => ({ name, run, toString: () => name });
const triedOf = (which: 'right' | 'wrong', model: LockoutModel): string => (which === 'right' ? model.pin : wrongPin);
const anotherThan = (one: string): string => (one === pin ? otherPin : pin);

const attempt = (which: 'right' | 'wrong'): Step =>
  step(which, async (model, real) => {
    const tried = triedOf(which, model);
    expect(await tryPin(real, tried)).toBe(model.try(tried, clock()));
  });
/** A try whose process is stopped while it hashes. */
const begin = (which: 'right' | 'wrong'): Step =>
  step(`begin ${which}`, async (model, real) => {
    const process = processes.find((each) => real.held.every((held) => held.process !== each));
    if (!process) return;
    const tried = triedOf(which, model);
    const expected = model.attempt(clock());
    const [before, taken] = [await hashesBegun(process), await places(real)];
    let answered = false;
    const outcome = told(tryAt(process.url, real.ana, tried)).then(
      (said) => said,
      () => 'lost',
    );
    void outcome.then(() => (answered = true));
    await until(async () => answered || (await hashesBegun(process)) > before, { what: 'the hash', timeoutMs: 20_000 });
    if (expected) {
      expect(await outcome).toBe(expected);
      return;
    }
    globalThis.process.kill(process.pid(), 'SIGSTOP');
    // What it had said before it was stopped Redis has heard by the second answer.
    await places(real);
    const isHeld = (await places(real)).length > taken.length;
    if (isHeld) {
      real.held.push({ outcome, process, tried, place: model.hold(clock()), unsure: false });
      real.heldInAll++;
      return;
    }
    globalThis.process.kill(process.pid(), 'SIGCONT');
    expect(await outcome).toBe(model.result(tried, clock()));
  });
async function finish(model: LockoutModel, { outcome, process, tried, place, unsure }: Held): Promise<void> {
  globalThis.process.kill(process.pid(), 'SIGCONT');
  const said = await outcome;
  // Its connection to Redis broke while it stood still: whether it had another before it was through is chance.
  if (unsure && said === 'service_unavailable') return;
  expect(said).toBe(model.release(place, { tried, now: clock() }) ?? 'service_unavailable');
}
const end = (): Step =>
  step('end', async (model, { held }) => {
    const first = held.shift();
    if (first) await finish(model, first);
  });
/** Its place is taken until its ten seconds are over. */
const kill = (): Step =>
  step('kill', async (_model, { held }) => {
    const first = held.shift();
    if (!first) return;
    await first.process.end('SIGKILL');
    expect(await first.outcome).toBe('lost');
    await first.process.start();
    await first.process.ready();
  });
const pass = (ms: number): Step =>
  step(`pass ${ms}`, async (_model, real) => {
    clock.advance({ ms });
    tellTime();
    real.ana = await auth.newSession(real.ana);
  });
const change = (which: 'right' | 'wrong'): Step =>
  step(`change, ${which}`, async (model, real) => {
    const [current, next] = [triedOf(which, model), anotherThan(model.pin)];
    const body = { current, transaction_password: next, confirmation: next };
    const said = await told(auth.as(real.ana)('PUT', '/security/transaction-password', { body }));
    expect(said).toBe(model.try(current, clock()));
    if (said !== 'right') return;
    model.pin = next;
    // What is in the middle was read with the PIN before: a right one is none any more.
    for (const held of real.held.splice(0)) {
      if (held.tried !== wrongPin) held.place.lost = true;
      await finish(model, held);
    }
  });
const reset = (): Step =>
  step('reset', async (model, real) => {
    const marta = await auth.newSession(manager);
    const approval = await auth.as(marta)('POST', `/users/${real.ana.id}/transaction-password-resets`, {
      headers: { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }) },
    });
    expect(approval.status).toBe(201);
    const next = anotherThan(model.pin);
    const body = { password, transaction_password: next, confirmation: next };
    expect(await told(auth.as(real.ana)('POST', '/security/transaction-password/reset', { body }))).toBe('right');
    model.reset(next);
  });
const flush = (): Step =>
  step('flush', async (model) => {
    await auth.redis.flushall();
    model.flush(clock());
  });

/** Every process that goes on reads the PIN's state again. */
async function redisIsBack({ ana, held }: Real): Promise<void> {
  const going = processes.filter((each) => held.every(({ process }) => process !== each));
  for (const url of [auth.url, ...going.map((each) => each.url)])
    await until(
      async () => (await caller(url, { token: ana.token })('GET', '/security/transaction-password')).status === 200,
      { what: 'Redis to be asked again', timeoutMs: 20_000 },
    );
}
const restart = (): Step =>
  step('restart', async (_model, real) => {
    await redis.stop();
    expect(await tryPin(real, wrongPin)).toBe('service_unavailable');
    redis = await redis.startAgain();
    await redisIsBack(real);
    for (const held of real.held) held.unsure = true;
  });
/** What Redis is asked while it stands still it does when it goes on, and nobody hears of it. */
const freeze = (): Step =>
  step('freeze', async (model, real) => {
    const held = real.held.shift();
    redis.kill('SIGSTOP');
    if (held) globalThis.process.kill(held.process.pid(), 'SIGCONT');
    const asked = [...(held ? [held.outcome] : []), tryPin(real, wrongPin), tryPin(real, model.pin)];
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['service_unavailable']));
    redis.kill('SIGCONT');
    await redisIsBack(real);
    if (held && !held.unsure) model.release(held.place, { tried: held.tried, now: clock() });
    // The tries have places that nobody holds, for ten seconds.
    await pass(10_001).run(model, real);
    // A block that came about like this is written down by whoever tries next.
    if (model.blockedUntil > clock()) expect(await tryPin(real, model.pin)).toBe('transaction_password_blocked');
  });

/** How many checks were held in the middle. */
async function go(sequence: readonly Step[]): Promise<number> {
  const ana = await auth.customer();
  await createPin(auth, ana);
  const [model, real] = [new LockoutModel(), { ana, held: [], heldInAll: 0 } as Real];
  for (const one of sequence) await one.run(model, real);
  for (const held of real.held.splice(0)) await finish(model, held);
  const state = await pinState(auth, real.ana);
  const left = model.blockedUntil > 0 ? 3 : 3 - model.wrong;
  const expected =
    model.blockedUntil > clock() ? { status: 'blocked' } : { status: 'usable', attempts_remaining: left };
  expect(state).toMatchObject(expected);
  return real.heldInAll;
}

const weighted: [number, Step][] = [
  [14, attempt('wrong')],
  [4, attempt('right')],
  [10, begin('wrong')],
  [6, begin('right')],
  [8, end()],
  [5, kill()],
  [3, pass(second)],
  [3, pass(9999)],
  [5, pass(31 * 60 * second)],
  [2, change('right')],
  [2, change('wrong')],
  [2, reset()],
  [2, flush()],
  [1, restart()],
  [1, freeze()],
];

test('when everything happens to a check in the middle, then it does what the model says', async () => {
  expect(await go(weighted.flatMap(([, one]) => [begin('wrong'), one]))).toBeGreaterThan(3);
}, 180_000);

test('when anything happens in any order, then it does what the model says', async () => {
  const anyStep = fc.oneof(...weighted.map(([weight, one]) => ({ weight, arbitrary: fc.constant(one) })));
  const deadline = performance.now() + 12 * second;
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 16 }), async (sequence) => {
      if (ran > 0 && performance.now() > deadline) return; // a slow machine tries fewer
      await go(sequence);
      ran++;
    }),
    { numRuns: 20, endOnFailure: true },
  );
}, 180_000);
