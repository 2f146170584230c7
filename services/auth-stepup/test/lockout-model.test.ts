import * as fc from 'fast-check';
import { createConnection } from 'mongoose';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Problem } from '@comanda/shared/contracts/problems';
import { createTransactions } from '@comanda/shared/mongo/transaction-store';
import { connectRedis } from '@comanda/shared/redis/connection';
import type { RedisLink } from '@comanda/shared/redis/connection';
import { isolated } from '../../../test/support/isolated.ts';
import { startOwnServer } from '../../../test/support/own-server.ts';
import type { OwnServer } from '../../../test/support/own-server.ts';
import { until } from '../../../test/support/until.ts';
import { checkPin } from '../src/consent/check-pin.ts';
import type { PinDesk } from '../src/consent/check-pin.ts';
import { createConsentStore } from '../src/consent/consent-store.ts';
import { createPinStore } from '../src/consent/pin-store.ts';
import { changePin, createPin } from '../src/consent/set-pin.ts';
import { createUserStore } from '../src/people/user-store.ts';
import type { UserStore } from '../src/people/user-store.ts';
import { newEmail, silent, testClock } from './support/harness.ts';
import type { Clock } from './support/harness.ts';

/**
 * The lockout against a model, through random sequences, with real Redis and MongoDB. Only bcrypt is replaced, so that a
 * check can be held in the middle for as long as a sequence wants: what is random here is what happens meanwhile.
 */
const pins = ['739152', '862047'] as const;
const wrongPin = '604817';

let redisServer: OwnServer;
let redis: RedisLink;
let connection: Connection;
let users: UserStore;
let closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const own = await isolated('lockout');
  redisServer = await startOwnServer('redis');
  redis = connectRedis({ url: redisServer.url, prefix: own.redisPrefix, timeoutMs: 500, logger: silent });
  connection = await createConnection(own.mongodbUri, { dbName: own.database }).asPromise();
  const transactions = createTransactions({ connection, isUp: () => true, logger: silent });
  users = createUserStore({ connection, transactions });
  await users.prepare();
  closing = [users.close, transactions.close, () => connection.close(), redis.close, () => redisServer.discard()];
});
afterAll(async () => {
  for (const close of closing) await close();
});

type Place = { deadline: number; lost: boolean };

/** Ten lines, and the time: what the lockout promises. */
class Model {
  pin: string = pins[0];
  wrong = 0;
  blockedUntil = 0;
  /** Deadlines of the checks that are held in the middle. */
  places: Place[] = [];
  attempt(now: number): string | null {
    if (this.blockedUntil > now) return 'transaction_password_blocked';
    if (this.blockedUntil > 0) Object.assign(this, { wrong: 0, blockedUntil: 0 });
    this.places = this.places.filter(({ deadline }) => deadline > now);
    return this.wrong + this.places.length >= 3 ? 'transaction_password_busy' : null;
  }
  result(tried: string, now: number): string {
    if (tried === this.pin) return this.right();
    if (++this.wrong < 3) return `transaction_password_invalid ${3 - this.wrong}`;
    this.blockedUntil = now + 30 * 60_000;
    return 'transaction_password_blocked';
  }
  right(): string {
    this.wrong = 0;
    return 'right';
  }
}

type Held = { outcome: Promise<string>; go: () => void; tried: string; place: Place };
type Real = { userId: number; clock: Clock; desk: PinDesk; held: Held[]; hold: { next: Promise<void> | null } };

async function newReal(): Promise<Real> {
  const clock = testClock();
  const hold: Real['hold'] = { next: null };
  const user = await users.insert({
    name: 'Ana',
    email: newEmail('ana'),
    passwordHash: null,
    role: 'customer',
    mustChangePassword: false,
    createdAt: clock(),
  });
  const desk: PinDesk = {
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
    note: async () => {},
    logger: silent,
    clock,
  };
  const real = { userId: user.id, clock, desk, held: [], hold };
  await createPin(desk, { transaction_password: pins[0], confirmation: pins[0] }, by(real));
  return real;
}
const by = ({ userId, clock }: { userId: number; clock: Clock }) => ({
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

type Step = fc.AsyncCommand<Model, Real>;
const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const attempt = (which: 'right' | 'wrong'): Step =>
  step(which, async (model, real) => {
    const pin = which === 'right' ? model.pin : wrongPin;
    const expected = model.attempt(real.clock()) ?? model.result(pin, real.clock());
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
    const place = { deadline: real.clock() + 10_000, lost: false };
    model.places.push(place);
    real.held.push({ outcome, go: resolve, tried, place });
  });
const end = (): Step =>
  step('end', async (model, real) => {
    const held = real.held.shift();
    if (!held) return;
    const now = real.clock();
    const gone = held.place.lost || held.place.deadline <= now;
    model.places = model.places.filter((place) => place !== held.place);
    const expected = gone ? 'service_unavailable' : model.result(held.tried, now);
    held.go();
    expect(await held.outcome).toBe(expected);
  });
/** The process that held it is gone: its place is taken until its ten seconds are over. */
const kill = (): Step =>
  step('kill', async (_model, real) => {
    real.held.shift();
  });
const pass = (ms: number): Step => step(`pass ${ms}`, async (_model, real) => real.clock.pass({ ms }));
const change = (which: 'right' | 'wrong'): Step =>
  step(`change, ${which}`, async (model, real) => {
    const next = model.pin === pins[0] ? pins[1] : pins[0];
    const current = which === 'right' ? model.pin : wrongPin;
    const expected = model.attempt(real.clock()) ?? model.result(current, real.clock());
    const wanted = { current, transaction_password: next, confirmation: next };
    expect(await told(changePin(real.desk, wanted, by(real)))).toBe(expected);
    if (expected !== 'right') return;
    model.pin = next;
    // What is in the middle was read with the PIN before: its result can't be told from today's any more.
    await finishHeld(model, real);
  });
async function finishHeld(model: Model, real: Real): Promise<void> {
  for (const held of real.held.splice(0)) {
    held.go();
    const outcome = await held.outcome;
    const gone = held.place.lost || held.place.deadline <= real.clock();
    const right = held.tried !== wrongPin;
    expect(outcome === 'right').toBe(false);
    if (gone || right) expect(outcome).toBe('service_unavailable');
    else expect(outcome).toBe(model.result(held.tried, real.clock()));
    model.places = model.places.filter((place) => place !== held.place);
  }
}
const reset = (): Step =>
  step('reset', async (model, real) => {
    const { desk, userId, clock } = real;
    const holder = await desk.pins.byUser(userId);
    if (!holder) throw new Error('no user');
    const expiresAt = new Date(clock() + 60_000);
    await connection.collection('usuarios').updateOne({ usuarioID: userId }, { $set: { pinReset: { expiresAt } } });
    await desk.store.raiseFloor(userId, holder.pinVersion + 1, 'forgotten');
    const message = { id: crypto.randomUUID(), type: 'test', time: new Date(), body: '{}' };
    await desk.pins.reset(holder, { hash: model.pin, pepperId: 'none', now: clock() }, { message });
    Object.assign(model, { wrong: 0, blockedUntil: 0, places: [] });
    for (const { place } of real.held) place.lost = true;
  });
const flush = (): Step =>
  step('flush', async (model, real) => {
    await redis.client.flushall();
    // The block stands in MongoDB; a count below it is gone, and so is every place.
    Object.assign(model, { places: [], ...(model.blockedUntil > real.clock() ? {} : { wrong: 0, blockedUntil: 0 }) });
    for (const { place } of real.held) place.lost = true;
  });
const restart = (): Step =>
  step('restart', async () => {
    await redisServer.stop();
    redisServer = await redisServer.startAgain();
    await until(redis.isUp, { what: 'Redis' });
  });
const freeze = (): Step =>
  step('freeze', async (model, real) => {
    redisServer.kill('SIGSTOP');
    const outcomes = await Promise.all([tryPin(real, model.pin), tryPin(real, wrongPin)].map(settled));
    redisServer.kill('SIGCONT');
    expect(outcomes).toEqual(['failed', 'failed']);
    await until(async () => (await redis.client.ping().catch(() => '')) === 'PONG', { what: 'Redis' });
    // What it was asked while it stood still it does when it goes on: places that nobody holds, for ten seconds.
    real.clock.pass({ ms: 10_001 });
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
    const deadline = performance.now() + 8000;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        if (performance.now() > deadline) return; // a slow machine tries fewer
        const real = await newReal();
        const model = new Model();
        for (const each of sequence) await each.run(model, real);
        await finishAll(real);
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});

async function finishAll({ held }: Real): Promise<void> {
  for (const { go, outcome } of held) {
    go();
    await settled(outcome);
  }
}
