import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createConnection, type Connection } from 'mongoose';
import { Problem } from '@comanda/contracts/problem';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { createTransactions, type Transactions } from '@comanda/shared/mongo/transactions';
import { connectRedis, type RedisLink } from '@comanda/shared/redis/connection';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { budget } from '@comanda/testing/budget';
import { newEmail, password } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestClock, type TestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { authStepupCollections } from '../src/collections.ts';
import { changePin } from '../src/pin/change-pin.ts';
import { checkPin } from '../src/pin/check-pin.ts';
import { createPin } from '../src/pin/create-pin.ts';
import { createPinCheckStore } from '../src/pin/pin-check-store.ts';
import { createPinStore, type PinStore } from '../src/pin/pin-store.ts';
import { resetPin, type ResetPinDeps } from '../src/pin/reset-pin.ts';
import { createStopStore, type StopStore } from '../src/stops/stop-store.ts';
import { createUserStore, type UserStore } from '../src/users/user-store.ts';
import { LockoutModel, type Slot } from './support/lockout-model.ts';
import { otherPin, pin as firstPin, wrongPin } from './support/pins.ts';

/**
 * These tests run random sequences of steps with real Redis and MongoDB, and compare the lockout with a model. The test hasher
 * replaces bcrypt and can pause a check for as long as a sequence needs.
 */

let redisServer: OwnServer;
let redis: RedisLink;
let users: UserStore;
let pins: PinStore;
let stops: StopStore;
let transactions: Transactions;
const shutdown = createShutdown(silentLogger);
beforeAll(async () => {
  const servers = await isolatedServers('lockout');
  redisServer = await startOwnServer('redis');
  shutdown.add('redis server', () => redisServer.discard());
  redis = connectRedis({ url: redisServer.url, prefix: servers.redisPrefix, timeoutMs: 1000, logger: silentLogger });
  shutdown.add('redis', redis.close);
  const connection: Connection = await createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
  shutdown.add('mongodb', () => connection.close());
  transactions = createTransactions({ connection, isUp: () => true, logger: silentLogger });
  shutdown.add('transactions', transactions.close);
  users = createUserStore({ connection, transactions });
  shutdown.add('users', users.close);
  pins = createPinStore(connection);
  stops = createStopStore(connection);
  await prepareCollections(connection, authStepupCollections);
});
afterAll(() => shutdown.close());

/** A check that is paused before it has a result. Its slot is reserved. */
type PausedCheck = { outcome: Promise<string>; resume: () => void; tried: string; slot: Slot };
/** The real lockout for one user. `pauseNext` makes the next check pause before its result. */
type Subject = {
  userId: number;
  clock: TestClock;
  deps: ResetPinDeps;
  paused: PausedCheck[];
  pauseNext: Promise<void> | null;
};

async function createSubject(): Promise<Subject> {
  const clock = createTestClock();
  const user = await users.insert({
    name: 'Ana',
    email: newEmail('ana'),
    passwordHash: password,
    role: 'customer',
    addedBy: null,
    createdAt: clock(),
  });
  const deps: ResetPinDeps = {
    publishNow: () => undefined,
    maxWrongPasswords: 100,
    pinChecks: createPinCheckStore(redis.client),
    pins,
    stops,
    pinHasher: {
      hash: async ({ pin }) => ({ hash: pin, pepperId: 'none', isBoundToUser: true }),
      matches: async ({ pin }, stored) => {
        const pause = subject.pauseNext;
        subject.pauseNext = null;
        await pause;
        return pin === stored?.hash;
      },
      isCurrent: () => true,
    },
    rules: { signInAfterBlock: false, maxLifetimeFailures: null },
    users,
    hasher: { matches: async ({ text, hash }) => text === hash },
    limits: { countGuess: async () => async () => undefined },
    recordSecurityEvent: async () => {},
    assertLiveSession: async () => undefined,
    logger: silentLogger,
    clock,
  };
  const subject: Subject = { userId: user.id, clock, deps, paused: [], pauseNext: null };
  await createPin(deps, { transaction_password: firstPin, confirmation: firstPin }, requesterOf(subject));
  return subject;
}
const requesterOf = ({ userId, clock }: Pick<Subject, 'userId' | 'clock'>) => ({
  caller: { userId, authTime: Math.floor(clock() / 1000), jti: '', guest: false },
  origin: { address: '', userAgent: '' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});
/** Returns the outcome of a check, in the model's words. */
const outcomeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'right';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const remaining = error.members['attempts_remaining'];
    return remaining === undefined ? error.code : `${error.code} ${Number(remaining)}`;
  }
};
const tryPin = (subject: Subject, pin: string): Promise<string> =>
  outcomeOf(
    checkPin(subject.deps, { ...requesterOf(subject), pin, token: { jti: randomUUID(), lifetimeMs: 120_000 } }),
  );
const anotherThan = (pin: string): string => (pin === firstPin ? otherPin : firstPin);

type Step = fc.AsyncCommand<LockoutModel, Subject>;
const step = (name: string, run: (model: LockoutModel, subject: Subject) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const attempt = (kind: 'right' | 'wrong'): Step =>
  step(kind, async (model, subject) => {
    const pin = kind === 'right' ? model.pin : wrongPin;
    const expected = model.attempt(pin, subject.clock());
    expect(await tryPin(subject, pin)).toBe(expected);
  });

/** Starts a check that pauses before its result. */
const begin = (kind: 'right' | 'wrong'): Step =>
  step(`begin ${kind}`, async (model, subject) => {
    const tried = kind === 'right' ? model.pin : wrongPin;
    const refusal = model.refusal(subject.clock());
    const { promise, resolve: resume } = Promise.withResolvers<void>();
    subject.pauseNext = promise;
    const outcome = tryPin(subject, tried);
    if (refusal) {
      expect(await outcome).toBe(refusal);
      subject.pauseNext = null;
      return;
    }
    await until(() => subject.pauseNext === null, { what: 'the check to pause' });
    subject.paused.push({ outcome, resume, tried, slot: model.begin(subject.clock()) });
  });
const end = (storing: 'stored' | 'not stored' = 'stored'): Step =>
  step('end', async (model, subject) => {
    const check = subject.paused.shift();
    if (!check) return;
    const { slot, tried } = check;
    const expected = model.end(slot, { tried, now: subject.clock(), storing }) ?? 'service_unavailable';
    check.resume();
    expect(await check.outcome).toBe(expected);
  });
/** Kills the process during a check. The check's slot stays reserved for ten seconds. */
const kill = (): Step =>
  step('kill', async (_model, subject) => {
    subject.paused.shift();
  });
const advance = (ms: number): Step => step(`advance ${ms}`, async (_model, subject) => subject.clock.advance({ ms }));

const change = (kind: 'right' | 'wrong'): Step =>
  step(`change, ${kind}`, async (model, subject) => {
    const newPin = anotherThan(model.pin);
    const current = kind === 'right' ? model.pin : wrongPin;
    const expected = model.attempt(current, subject.clock());
    const input = { current, transaction_password: newPin, confirmation: newPin };
    expect(await outcomeOf(changePin(subject.deps, input, requesterOf(subject)))).toBe(expected);
    if (expected !== 'right') return;
    model.change(newPin);
    await endAllAfterChange(model, subject);
  });
/** Ends the paused checks. They started with the old PIN, so a right result is outdated. */
async function endAllAfterChange(model: LockoutModel, subject: Subject): Promise<void> {
  for (const check of subject.paused.splice(0)) {
    subject.paused.unshift(check);
    if (check.tried !== wrongPin) check.slot.lost = true;
    await end('not stored').run(model, subject);
  }
}
const reset = (): Step =>
  step('reset', async (model, subject) => {
    const { deps, userId, clock } = subject;
    await transactions.run({ deadline: performance.now() + 1000 }, (session) =>
      pins.allowReset(userId, clock() + 60_000, session),
    );
    const newPin = anotherThan(model.pin);
    const input = { password, transaction_password: newPin, confirmation: newPin };
    expect(await outcomeOf(resetPin(deps, input, requesterOf(subject)))).toBe('right');
    model.reset(newPin);
    for (const { slot } of subject.paused) slot.outdated = true;
  });

const flushRedis = (): Step =>
  step('flush Redis', async (model) => {
    await redis.client.flushall();
    model.loseRedis();
  });
const untilRedisAnswers = () =>
  until(async () => (await redis.client.ping().catch(() => '')) === 'PONG', { what: 'Redis', timeoutMs: 20_000 });
/**
 * Returns the outcome, or 'failed' for a check without a result. The service responds with a 503 in that case, because Redis
 * failed or the check took too long.
 */
const outcomeOrFailed = (outcome: Promise<string>): Promise<string> =>
  outcome.then(
    (result) => (result === 'service_unavailable' ? 'failed' : result),
    () => 'failed',
  );
/** Restarts Redis. A check that ends during the restart has no result, and its slot stays reserved for ten seconds. */
const restartRedis = (): Step =>
  step('restart Redis', async (_model, subject) => {
    await redisServer.stop();
    const check = subject.paused.shift();
    check?.resume();
    if (check) expect(await outcomeOrFailed(check.outcome)).toBe('failed');
    redisServer = await redisServer.startAgain();
    await untilRedisAnswers();
  });
/**
 * Freezes Redis. Once Redis runs again, it executes the commands that have timed out. Paused checks are resumed first, because
 * they would exceed their time limit.
 */
const freezeRedis = (): Step =>
  step('freeze Redis', async (model, subject) => {
    const checks = subject.paused.splice(0);
    redisServer.kill('SIGSTOP');
    for (const { resume } of checks) resume();
    const attempts = [...checks.map(({ outcome }) => outcome), tryPin(subject, model.pin), tryPin(subject, wrongPin)];
    const outcomes = await Promise.all(attempts.map(outcomeOrFailed));
    redisServer.kill('SIGCONT');
    expect(new Set(outcomes)).toEqual(new Set(['failed']));
    await untilRedisAnswers();
    for (const { slot, tried } of checks) model.end(slot, { tried, now: subject.clock(), storing: 'not stored' });
    // These attempts have reserved slots, which expire after ten seconds.
    subject.clock.advance({ ms: 10_001 });
    // If the last result blocked the PIN, the next attempt stores the block.
    const isBlocked = model.blockedUntil > subject.clock();
    if (isBlocked) expect(await tryPin(subject, model.pin)).toBe('transaction_password_blocked');
  });

const weightedSteps: [weight: number, step: Step][] = [
  [24, attempt('wrong')],
  [6, attempt('right')],
  [10, begin('wrong')],
  [6, begin('right')],
  [14, end()],
  [4, kill()],
  [4, advance(1000)],
  [4, advance(9999)],
  [8, advance(31 * 60_000)],
  [4, change('right')],
  [4, change('wrong')],
  [3, reset()],
  [3, flushRedis()],
  [1, restartRedis()],
  [1, freezeRedis()],
];

async function endAll({ paused }: Subject): Promise<void> {
  for (const { resume, outcome } of paused) {
    resume();
    await outcomeOrFailed(outcome);
  }
}

test('the PIN lockout behaves like its model in any order of steps', async () => {
  const anyStep = fc.oneof(...weightedSteps.map(([weight, each]) => ({ weight, arbitrary: fc.constant(each) })));
  const sequences = fc.array(anyStep, { minLength: 20, maxLength: 80 });
  // Executes every kind of step while a check is paused.
  const everyStep = weightedSteps.flatMap(([, each]) => [begin('wrong'), each]);
  // Enters two right PINs after a block, and a wrong PIN between their results.
  const block = [attempt('wrong'), attempt('wrong'), attempt('wrong'), advance(31 * 60_000)];
  const twoRight = [...block, begin('right'), attempt('right'), attempt('wrong'), end(), attempt('wrong')];
  // Ends a check that started before a PIN reset, and then makes one guess more than MongoDB counts.
  const guess = [begin('wrong'), flushRedis(), end()];
  const outdated = [begin('wrong'), reset(), end(), ...Array.from({ length: 5 }, () => guess).flat(), attempt('right')];

  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const subject = await createSubject();
      const model = new LockoutModel();
      for (const each of sequence) await each.run(model, subject);
      await endAll(subject);
    }),
    { numRuns: budget(12, 100), endOnFailure: true, examples: [[everyStep], [twoRight], [outdated]] },
  );
});

test.each([
  ['right', firstPin],
  ['wrong', wrongPin],
])('a PIN check gets a 503 if Redis freezes while the %s PIN is hashed', async (_which, pin) => {
  const subject = await createSubject();
  subject.pauseNext = setTimeout(1400).then(() => redisServer.kill('SIGSTOP'));
  try {
    expect(await tryPin(subject, pin)).toBe('service_unavailable');
  } finally {
    redisServer.kill('SIGCONT');
  }
});
