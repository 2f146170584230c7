import * as fc from 'fast-check';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { Problem } from '@comanda/contracts/problems';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { connectRedis } from '@comanda/shared/redis/connection';
import type { RedisLink } from '@comanda/shared/redis/connection';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startOwnServer } from '@comanda/testing/own-server';
import type { OwnServer } from '@comanda/testing/own-server';
import { until } from '@comanda/testing/until';
import { createApprovalStore } from '../src/consent/approval-store.ts';
import type { ApprovalStore } from '../src/consent/approval-store.ts';
import { checkPin } from '../src/consent/check-pin.ts';
import { createConsentStore } from '../src/consent/consent-store.ts';
import { createPinStore } from '../src/consent/pin-store.ts';
import { changePin, createPin, resetPin } from '../src/consent/set-pin.ts';
import type { ResetDesk } from '../src/consent/set-pin.ts';
import { createUserStore } from '../src/people/user-store.ts';
import type { UserStore } from '../src/people/user-store.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import { silentLogger } from '@comanda/testing/silent-logger';
import type { TestClock } from '@comanda/testing/test-clock';
import { LockoutModel } from './support/lockout-model.ts';
import type { Place } from './support/lockout-model.ts';
import { otherPin, pin as firstPin, wrongPin } from './support/pins.ts';

/**
 * The lockout against a model, through random sequences, with real Redis and MongoDB. Only bcrypt is replaced, so that a
 * check can be held in the middle for as long as a sequence wants: what is random here is what happens meanwhile.
 */
/** Sequences that even a slow machine goes through. */
const fewest = 8;

let redisServer: OwnServer;
let redis: RedisLink;
let connection: Connection;
let users: UserStore;
let approvals: ApprovalStore;
let closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const own = await isolatedServers('lockout');
  redisServer = await startOwnServer('redis');
  redis = connectRedis({ url: redisServer.url, prefix: own.redisPrefix, timeoutMs: 500, logger: silentLogger });
  connection = await createConnection(own.mongodbUri, { dbName: own.database }).asPromise();
  const transactions = createTransactions({ connection, isUp: () => true, logger: silentLogger });
  users = createUserStore({ connection, transactions });
  approvals = createApprovalStore({ connection, transactions });
  await Promise.all([users.prepare(), approvals.prepare()]);
  closing = [users.close, transactions.close, () => connection.close(), redis.close, () => redisServer.discard()];
});
afterAll(async () => {
  for (const close of closing) await close();
});

type Held = { outcome: Promise<string>; go: () => void; tried: string; place: Place };
type Real = { userId: number; clock: TestClock; desk: ResetDesk; held: Held[]; hold: { next: Promise<void> | null } };

const anotherThan = (pin: string): string => (pin === firstPin ? otherPin : firstPin);

async function newReal(): Promise<Real> {
  const clock = createTestClock();
  const hold: Real['hold'] = { next: null };
  const user = await users.insert({
    name: 'Ana',
    email: newEmail('ana'),
    passwordHash: password,
    role: 'customer',
    mustChangePassword: false,
    createdAt: clock(),
  });
  const desk: ResetDesk = {
    store: createConsentStore(redis.client),
    pins: createPinStore({ connection, onWritten: () => {} }),
    pinHasher: {
      hash: async (pin) => ({ hash: pin, pepperId: 'none' }),
      matches: async (pin, stored) => {
        const gate = hold.next;
        hold.next = null;
        await gate;
        return pin === stored.hash;
      },
      isCurrent: () => true,
    },
    rules: { signInAfterBlock: false, lifetimeFailures: null },
    users,
    hasher: { hash: async (text) => text, matches: async (text, hash) => text === hash, close: async () => {} },
    limits: { guess: async (_email, isRight) => isRight() },
    note: async () => {},
    logger: silentLogger,
    clock,
  };
  const real = { userId: user.id, clock, desk, held: [], hold };
  await createPin(desk, { transaction_password: firstPin, confirmation: firstPin }, by(real));
  return real;
}
const by = ({ userId, clock }: { userId: number; clock: TestClock }) => ({
  caller: { userId, authTime: Math.floor(clock() / 1000) },
  origin: { address: '', userAgent: '' },
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});
const told = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'right';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const left = error.members['attempts_remaining'];
    return left === undefined ? error.code : `${error.code} ${Number(left)}`;
  }
};
const tryPin = (real: Real, pin: string): Promise<string> =>
  told(checkPin(real.desk, { ...by(real), pin }, { jti: crypto.randomUUID(), livesMs: 120_000 }));

type Step = fc.AsyncCommand<LockoutModel, Real>;
const step = (name: string, run: (model: LockoutModel, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const attempt = (which: 'right' | 'wrong'): Step =>
  step(which, async (model, real) => {
    const pin = which === 'right' ? model.pin : wrongPin;
    const expected = model.try(pin, real.clock());
    expect(await tryPin(real, pin)).toBe(expected);
  });
/** A try that is held after its reservation, before its result. */
const begin = (which: 'right' | 'wrong'): Step =>
  step(`begin ${which}`, async (model, real) => {
    const tried = which === 'right' ? model.pin : wrongPin;
    const expected = model.attempt(real.clock());
    const { promise, resolve } = Promise.withResolvers<void>();
    real.hold.next = promise;
    const outcome = tryPin(real, tried);
    if (expected) {
      expect(await outcome).toBe(expected);
      real.hold.next = null;
      return;
    }
    await until(() => real.hold.next === null, { what: 'the check to be in the middle' });
    real.held.push({ outcome, go: resolve, tried, place: model.hold(real.clock()) });
  });
const end = (): Step =>
  step('end', async (model, real) => {
    const held = real.held.shift();
    if (!held) return;
    const { place, tried } = held;
    const expected = model.release(place, { tried, now: real.clock() }) ?? 'service_unavailable';
    held.go();
    expect(await held.outcome).toBe(expected);
  });
/** The process that held it is gone: its place is taken until its ten seconds are over. */
const kill = (): Step =>
  step('kill', async (_model, real) => {
    real.held.shift();
  });
const pass = (ms: number): Step => step(`pass ${ms}`, async (_model, real) => real.clock.advance({ ms }));
const change = (which: 'right' | 'wrong'): Step =>
  step(`change, ${which}`, async (model, real) => {
    const next = anotherThan(model.pin);
    const current = which === 'right' ? model.pin : wrongPin;
    const expected = model.try(current, real.clock());
    const wanted = { current, transaction_password: next, confirmation: next };
    expect(await told(changePin(real.desk, wanted, by(real)))).toBe(expected);
    if (expected !== 'right') return;
    model.pin = next;
    // What is in the middle was read with the PIN before: a right one is none any more.
    await finishHeld(model, real);
  });
async function finishHeld(model: LockoutModel, real: Real): Promise<void> {
  for (const held of real.held.splice(0)) {
    real.held.unshift(held);
    if (held.tried !== wrongPin) held.place.lost = true;
    await end().run(model, real);
  }
}
const reset = (): Step =>
  step('reset', async (model, real) => {
    const { desk, userId, clock } = real;
    await approvals.add({ userId, by: null, expiresAt: clock() + 60_000 }, clock());
    const next = anotherThan(model.pin);
    const wanted = { password, transaction_password: next, confirmation: next };
    expect(await told(resetPin(desk, wanted, by(real)))).toBe('right');
    model.reset(next);
  });
const flush = (): Step =>
  step('flush', async (model, real) => {
    await redis.client.flushall();
    model.flush(real.clock());
  });
const redisIsBack = () =>
  until(async () => (await redis.client.ping().catch(() => '')) === 'PONG', { what: 'Redis', timeoutMs: 20_000 });
/** A result that comes while Redis is away is told to nobody; its place is taken until its ten seconds are over. */
const restart = (): Step =>
  step('restart', async (_model, real) => {
    await redisServer.stop();
    const held = real.held.shift();
    held?.go();
    if (held) expect(await settled(held.outcome)).toBe('failed');
    redisServer = await redisServer.startAgain();
    await redisIsBack();
  });
/** What Redis is asked while it stands still it does when it goes on, and nobody hears of it. */
const freeze = (): Step =>
  step('freeze', async (model, real) => {
    const held = real.held.shift();
    redisServer.kill('SIGSTOP');
    held?.go();
    const asked = [held?.outcome ?? tryPin(real, wrongPin), tryPin(real, model.pin), tryPin(real, wrongPin)];
    expect(await Promise.all(asked.map(settled))).toEqual(['failed', 'failed', 'failed']);
    redisServer.kill('SIGCONT');
    await redisIsBack();
    if (held) model.release(held.place, { tried: held.tried, now: real.clock() });
    // The tries have places that nobody holds, for ten seconds.
    real.clock.advance({ ms: 10_001 });
    // A block that came about like this is written down by whoever tries next.
    const isBlocked = model.blockedUntil > real.clock();
    if (isBlocked) expect(await tryPin(real, model.pin)).toBe('transaction_password_blocked');
  });
/** Redis answers with an error that the service's own door turns into 503. */
const settled = (outcome: Promise<string>): Promise<string> =>
  outcome.then(
    (said) => said,
    () => 'failed',
  );

describe('the lockout', () => {
  test('when anything happens in any order, then it does what the model says', async () => {
    const weighted: [number, Step][] = [
      [24, attempt('wrong')],
      [6, attempt('right')],
      [10, begin('wrong')],
      [6, begin('right')],
      [14, end()],
      [4, kill()],
      [4, pass(1000)],
      [4, pass(9999)],
      [8, pass(31 * 60_000)],
      [4, change('right')],
      [4, change('wrong')],
      [3, reset()],
      [3, flush()],
      [1, restart()],
      [1, freeze()],
    ];
    const anyStep = fc.oneof(...weighted.map(([weight, one]) => ({ weight, arbitrary: fc.constant(one) })));
    const steps = fc.array(anyStep, { minLength: 20, maxLength: 80 });
    // Each kind of step at least once, with a check in the middle that it can happen to.
    const each = weighted.flatMap(([, one]) => [begin('wrong'), one]);
    const deadline = performance.now() + 8000;
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        if (ran >= fewest && performance.now() > deadline) return; // a slow machine tries fewer
        const real = await newReal();
        const model = new LockoutModel();
        for (const one of sequence) await one.run(model, real);
        await finishAll(real);
        ran++;
      }),
      { numRuns: 100, endOnFailure: true, examples: [[each]] },
    );
    expect(ran).toBeGreaterThanOrEqual(fewest);
  });
});

async function finishAll({ held }: Real): Promise<void> {
  for (const { go, outcome } of held) {
    go();
    await settled(outcome);
  }
}
