import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { budget } from '@comanda/testing/budget';
import { caller, type Called } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { freePort, startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { createSharedTestClock, type SharedTestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { LockoutModel, type Slot } from './support/lockout-model.ts';
import {
  createPin,
  otherPin,
  pin,
  pinState,
  resetKey,
  storePin,
  tokenFor,
  transferKey,
  wrongPin,
} from './support/pins.ts';

/**
 * The whole lockout against the model: over HTTP, with bcrypt, in processes that are stopped during a check and continue,
 * or are killed. It runs fewer sequences than `lockout-model.test.ts`, with the same kinds of steps.
 */
const second = 1000;
/** A check lasts long enough to stop its process meanwhile. */
const hashCost = 10;
let auth: AuthStepupHarness;
let redis: OwnServer;
let clock: SharedTestClock;
let manager: TestUser;
let processes: ServiceProcess[];
const shutdown = createShutdown(silentLogger);
beforeAll(async () => {
  clock = createSharedTestClock();
  shutdown.add('clock', clock.close);
  redis = await startOwnServer('redis');
  shutdown.add('redis', () => redis.discard());
  const servers = { ...(await isolatedServers('lockout')), redisUrl: redis.url };
  auth = await startAuthStepupHarness({ clock, servers, hashCost });
  shutdown.add('auth-stepup', auth.close);
  const startProcess = async (): Promise<ServiceProcess> => {
    const env = {
      ...auth.env,
      PORT: String(await freePort()),
      CLOCK_FILE: clock.file,
      HASH_COST: String(hashCost),
    };
    return startServiceProcess('auth-stepup', env, 'test/support/testing-process.ts');
  };
  processes = await Promise.all([startProcess(), startProcess()]);
  for (const each of processes) shutdown.add('process', () => each.end('SIGKILL'));
  await Promise.all(processes.map((each) => each.ready()));
  manager = await auth.manager();
  await storePin(auth, manager);
}, 120_000);
afterAll(() => shutdown.close());

/** A check whose process is stopped. `uncertain`: its connection to Redis may be broken when it continues. */
type PausedCheck = {
  outcome: Promise<string>;
  process: ServiceProcess;
  tried: string;
  slot: Slot;
  uncertain: boolean;
};
/** `ana` gets a new session whenever the time advances. */
type Subject = { ana: TestUser; paused: PausedCheck[]; pausedCount: number };

const stop = ({ pid }: ServiceProcess): void => void process.kill(pid(), 'SIGSTOP');
const resume = ({ pid }: ServiceProcess): void => void process.kill(pid(), 'SIGCONT');

/** The outcome in the model's words. */
const outcomeOf = async (answer: Promise<Called>): Promise<string> => {
  const { status, body } = await answer;
  if (status < 300) return 'right';
  return body.attempts_remaining === undefined ? body.code : `${body.code} ${body.attempts_remaining}`;
};
const tryPinAt = (url: string, { token }: TestUser, tried: string): Promise<Called> =>
  caller(url, { token })('POST', '/security/step-up', {
    body: { endpoint_key: transferKey, transaction_password: tried },
  });
const tryPin = ({ ana }: Subject, tried: string): Promise<string> => outcomeOf(tryPinAt(auth.url, ana, tried));

async function startedHashes({ url }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^comanda_hashes_total\{.*hashed="pin".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
const reservedSlots = async ({ ana }: Subject): Promise<string[]> =>
  (await auth.redis.hkeys(`attempts:{${ana.id}}`)).filter((field) => !['wrong', 'until', 'pin'].includes(field));

type Step = { name: string; run: (model: LockoutModel, subject: Subject) => Promise<void>; toString: () => string };
const step = (name: string, run: Step['run']): Step => ({ name, run, toString: () => name });
const pinFor = (kind: 'right' | 'wrong', model: LockoutModel): string => (kind === 'right' ? model.pin : wrongPin);
const anotherThan = (current: string): string => (current === pin ? otherPin : pin);

const attempt = (kind: 'right' | 'wrong'): Step =>
  step(kind, async (model, subject) => {
    const tried = pinFor(kind, model);
    expect(await tryPin(subject, tried)).toBe(model.attempt(tried, clock()));
  });

/** A check whose process is stopped while it hashes. */
const begin = (kind: 'right' | 'wrong'): Step =>
  step(`begin ${kind}`, async (model, subject) => {
    const running = processes.find((each) => subject.paused.every((check) => check.process !== each));
    if (!running) return;
    const tried = pinFor(kind, model);
    const refusal = model.refusal(clock());
    const [hashesBefore, slotsBefore] = [await startedHashes(running), await reservedSlots(subject)];
    let isAnswered = false;
    const outcome = outcomeOf(tryPinAt(running.url, subject.ana, tried)).catch(() => 'lost');
    void outcome.then(() => (isAnswered = true));
    const isHashing = async (): Promise<boolean> => (await startedHashes(running)) > hashesBefore;
    await until(async () => isAnswered || (await isHashing()), { what: 'the hash', timeoutMs: 20_000 });
    if (refusal) {
      expect(await outcome).toBe(refusal);
      return;
    }
    stop(running);
    // By the second answer, Redis has received what the process sent before it was stopped.
    await reservedSlots(subject);
    const isPaused = (await reservedSlots(subject)).length > slotsBefore.length;
    if (isPaused) {
      subject.paused.push({ outcome, process: running, tried, slot: model.begin(clock()), uncertain: false });
      subject.pausedCount++;
      return;
    }
    resume(running);
    expect(await outcome).toBe(model.result({ tried, now: clock() }));
  });
type EndedCheck = PausedCheck & { storing?: 'not stored' };
async function endCheck(model: LockoutModel, check: EndedCheck): Promise<void> {
  const { slot, tried, storing } = check;
  resume(check.process);
  const outcome = await check.outcome;
  // The connection to Redis broke while the process was stopped. It may or may not have a new one in time.
  if (check.uncertain && outcome === 'service_unavailable') return;
  const expected = model.end(slot, { tried, now: clock(), ...(storing && { storing }) });
  expect(outcome).toBe(expected ?? 'service_unavailable');
}
const end = (): Step =>
  step('end', async (model, { paused }) => {
    const check = paused.shift();
    if (check) await endCheck(model, check);
  });
/** The slot stays reserved until the ten seconds are over. */
const kill = (): Step =>
  step('kill', async (_model, { paused }) => {
    const check = paused.shift();
    if (!check) return;
    await check.process.end('SIGKILL');
    expect(await check.outcome).toBe('lost');
    await check.process.start();
    await check.process.ready();
  });
const advance = (ms: number): Step =>
  step(`advance ${ms}`, async (_model, subject) => {
    clock.advance({ ms });
    subject.ana = await auth.newSession(subject.ana);
  });

const change = (kind: 'right' | 'wrong'): Step =>
  step(`change, ${kind}`, async (model, subject) => {
    const [current, newPin] = [pinFor(kind, model), anotherThan(model.pin)];
    const body = { current, transaction_password: newPin, confirmation: newPin };
    const outcome = await outcomeOf(auth.as(subject.ana)('PUT', '/security/transaction-password', { body }));
    expect(outcome).toBe(model.attempt(current, clock()));
    if (outcome !== 'right') return;
    model.change(newPin);
    // The paused checks have read the old PIN: a right one is outdated now.
    for (const check of subject.paused.splice(0)) {
      if (check.tried !== wrongPin) check.slot.lost = true;
      await endCheck(model, { ...check, storing: 'not stored' });
    }
  });
const reset = (): Step =>
  step('reset', async (model, subject) => {
    const marta = await auth.newSession(manager);
    const approval = await auth.as(marta)('POST', `/users/${subject.ana.id}/transaction-password-resets`, {
      headers: { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }) },
    });
    expect(approval.status).toBe(201);
    const newPin = anotherThan(model.pin);
    const body = { password, transaction_password: newPin, confirmation: newPin };
    const answer = auth.as(subject.ana)('POST', '/security/transaction-password/reset', { body });
    expect(await outcomeOf(answer)).toBe('right');
    model.reset(newPin);
  });

const flushRedis = (): Step =>
  step('flush Redis', async (model) => {
    await auth.redis.flushall();
    model.loseRedis();
  });
/** Waits until every process that is not stopped reads the state of the PIN again. */
async function untilRedisAnswers({ ana, paused }: Subject): Promise<void> {
  const running = processes.filter((each) => paused.every((check) => check.process !== each));
  for (const url of [auth.url, ...running.map((each) => each.url)])
    await until(
      async () => (await caller(url, { token: ana.token })('GET', '/security/transaction-password')).status === 200,
      { what: 'Redis to answer', timeoutMs: 20_000 },
    );
}
const restartRedis = (): Step =>
  step('restart Redis', async (_model, subject) => {
    await redis.stop();
    expect(await tryPin(subject, wrongPin)).toBe('service_unavailable');
    redis = await redis.startAgain();
    await untilRedisAnswers(subject);
    for (const check of subject.paused) check.uncertain = true;
  });
/** A frozen Redis executes the commands when it continues, after their timeouts. */
const freezeRedis = (): Step =>
  step('freeze Redis', async (model, subject) => {
    const check = subject.paused.shift();
    redis.kill('SIGSTOP');
    if (check) resume(check.process);
    const outcomes = [...(check ? [check.outcome] : []), tryPin(subject, wrongPin), tryPin(subject, model.pin)];
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['service_unavailable']));
    redis.kill('SIGCONT');
    await untilRedisAnswers(subject);
    if (check && !check.uncertain) model.end(check.slot, { tried: check.tried, now: clock(), storing: 'not stored' });
    // The attempts have reserved slots that they never free: those expire after ten seconds.
    await advance(10_001).run(model, subject);
    // If the last result has blocked the PIN, the next attempt stores the block.
    if (model.blockedUntil > clock()) expect(await tryPin(subject, model.pin)).toBe('transaction_password_blocked');
  });

/** Runs the steps with a new user, and returns how many checks were paused. */
async function runSteps(sequence: readonly Step[]): Promise<number> {
  const ana = await auth.customer();
  await createPin(auth, ana);
  const model = new LockoutModel();
  const subject: Subject = { ana, paused: [], pausedCount: 0 };
  for (const each of sequence) await each.run(model, subject);
  for (const check of subject.paused.splice(0)) await endCheck(model, check);
  const attemptsRemaining = model.isBlockInRedis ? 3 : 3 - model.wrong();
  const expected =
    model.blockedUntil > clock() ? { status: 'blocked' } : { status: 'usable', attempts_remaining: attemptsRemaining };
  expect(await pinState(auth, subject.ana)).toMatchObject(expected);
  return subject.pausedCount;
}

const weightedSteps: [weight: number, step: Step][] = [
  [14, attempt('wrong')],
  [4, attempt('right')],
  [10, begin('wrong')],
  [6, begin('right')],
  [8, end()],
  [5, kill()],
  [3, advance(second)],
  [3, advance(9999)],
  [5, advance(31 * 60 * second)],
  [2, change('right')],
  [2, change('wrong')],
  [2, reset()],
  [2, flushRedis()],
  [1, restartRedis()],
  [1, freezeRedis()],
];

test('when every step happens during a check, then the lockout does what the model says', async () => {
  const everyStep = weightedSteps.flatMap(([, each]) => [begin('wrong'), each]);

  expect(await runSteps(everyStep)).toBeGreaterThan(3);
}, 180_000);

test('when steps happen in any order, then the lockout does what the model says', async () => {
  const anyStep = fc.oneof(...weightedSteps.map(([weight, each]) => ({ weight, arbitrary: fc.constant(each) })));
  const sequences = fc.array(anyStep, { minLength: 8, maxLength: 16 });

  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      await runSteps(sequence);
    }),
    { numRuns: budget(6, 20), endOnFailure: true },
  );
}, 600_000);
