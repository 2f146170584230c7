import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { createTestClock } from '@comanda/testing/test-clock';
import { until } from '@comanda/testing/until';
import { createStopStore } from '../src/stops/stop-store.ts';
import { registerUser } from '../src/users/register-user.ts';
import { hashWhile } from './support/hash-meanwhile.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { consume, managerWithPin, stepUp, storePin, tokenFor } from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let events: RecordedEvents;
let marta: TestUser;
let ana: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  events = await recordEvents(auth.servers.rabbitmqUrl);
  [marta, ana] = [await managerWithPin(auth), await auth.customer('Ana')];
  await storePin(auth, ana);
});
afterAll(async () => {
  await auth.close();
  await events.close();
});
afterEach(async () => {
  const stops = await getStops();
  for (const name of ['transfers', 'sign_ups']) if (stops[name]) await put(name, { stopped: false });
});

const consentToStop = async (who = marta) => ({
  'x-step-up-token': await tokenFor(auth, who, { endpoint_key: 'stop.manage' }),
});
const put = async (name: string, body: object) =>
  auth.as(marta)('PUT', `/stops/${name}`, { body, headers: await consentToStop() });
const getStops = async () => (await auth.call('GET', '/stops')).body;
const register = () =>
  auth.call('POST', '/auth/register', {
    body: { name: 'Eva', email: newEmail('Eva'), password: 'mesa-farofa-violao' },
  });
const isOfVersion = (data: object, version: number): boolean => 'version' in data && data.version === version;
const now = (): string => new Date(clock()).toISOString();
const keys = [
  'internal_transfer.create',
  'bill_payment.create',
  'bill_refund.create',
  'account_deposit.create',
] as const;

describe('stopping transfers or sign-ups', () => {
  test('is visible to all users', async () => {
    const { version } = await getStops();
    const reason = 'The balances are being checked';

    const { status, body } = await put('transfers', { stopped: true, reason });

    const stops = { transfers: { since: now(), reason }, sign_ups: null, version: version + 1 };
    expect([status, body]).toEqual([200, stops]);
    expect(await getStops()).toEqual(stops);
    const reported = await until(() => events.of('stops.changed').find(({ data }) => isOfVersion(data, version + 1)), {
      what: 'the event',
    });
    expect(reported).toMatchObject({ subject: 'stops', data: stops, audience: 'everyone' });
    const [entry] = (await auth.as(marta)('GET', '/audit?limit=1')).body;
    expect(entry).toMatchObject({
      type: 'transfers_stopped',
      time: now(),
      actor: { id: marta.id, role: 'manager' },
      user_id: null,
      details: { reason },
    });
  });

  test('leaves an audit entry when it ends', async () => {
    await put('sign_ups', { stopped: true });
    await put('sign_ups', { stopped: false });

    const entries = (await auth.as(marta)('GET', '/audit?limit=2')).body;
    expect(entries.map(({ type, details }: { type: string; details: object }) => [type, details])).toEqual([
      ['sign_ups_resumed', {}],
      ['sign_ups_stopped', {}],
    ]);
  });

  test('keeps its start time if it is repeated with another reason', async () => {
    const since = now();
    await put('transfers', { stopped: true });
    clock.advance({ minutes: 1 });

    const { body } = await put('transfers', { stopped: true, reason: 'Second thoughts' });

    expect(body.transfers).toEqual({ since, reason: 'Second thoughts' });
  });

  test('is possible for transfers and sign-ups at the same time', async () => {
    const { version } = await getStops();
    const headers = [await consentToStop(), await consentToStop()];

    const responses = await Promise.all(
      ['transfers', 'sign_ups'].map((name, index) =>
        auth.as(marta)('PUT', `/stops/${name}`, { body: { stopped: true }, headers: headers[index] ?? {} }),
      ),
    );

    expect(new Set(responses.map((response) => response.body.version))).toEqual(new Set([version + 1, version + 2]));
    expect(await getStops()).toMatchObject({ transfers: {}, sign_ups: {}, version: version + 2 });
  });

  test('requires a manager with a PIN', async () => {
    const body = { stopped: true };
    expect(codeOf(await auth.as(marta)('PUT', '/stops/transfers', { body }))).toBe('401 step_up_required');
    expect(codeOf(await auth.as(ana)('PUT', '/stops/transfers', { body }))).toBe('403 forbidden');
    const unknown = await auth.as(marta)('PUT', '/stops/orders', { body, headers: await consentToStop() });
    expect([codeOf(unknown), unknown.body.errors[0].pointer]).toEqual(['400 validation_failed', '/name']);
    const other = await tokenFor(auth, marta, {
      endpoint_key: 'stop.manage',
      authorization_details: [{ type: 'stop', name: 'sign_ups', stopped: true }],
    });
    const response = await auth.as(marta)('PUT', '/stops/transfers', { body, headers: { 'x-step-up-token': other } });
    expect(codeOf(response)).toBe('401 step_up_wrong_details');
    expect(await getStops()).toMatchObject({ transfers: null, sign_ups: null });
  });
});

describe('while transfers are stopped', () => {
  test.each(keys)('a PIN for %s is rejected without counting an attempt', async (key) => {
    await put('transfers', { stopped: true });
    const who = key.startsWith('bill_refund') || key.startsWith('account') ? marta : ana;

    const response = await stepUp(auth, who, {
      endpoint_key: key,
      transaction_password: '000000',
      ...(key.startsWith('bill') && {
        authorization_details: [
          {
            type: key === 'bill_payment.create' ? 'bill_payment' : 'bill_refund',
            payment_id: 77,
            amount: '1',
            currency: 'BRL',
          },
        ],
      }),
    });

    expect(codeOf(response)).toBe('403 transfers_stopped');
    expect((await auth.as(who)('GET', '/security/transaction-password')).body.attempts_remaining).toBe(3);
  });

  test('a token from before the stop stays unspent', async () => {
    const step_up_token = await tokenFor(auth, ana);
    await put('transfers', { stopped: true });

    const alone = await consume(auth, ana, { step_up_token });
    const requests = [{ access_token: ana.token, step_up_token, endpoint_key: keys[0] }];
    const list = await auth.call('POST', '/internal/step-up/consume-list', { body: { requests } });

    expect(codeOf(alone)).toBe('403 transfers_stopped');
    expect(list.body.results).toEqual([{ status: 403, body: { code: 'transfers_stopped' } }]);
    await put('transfers', { stopped: false });
    expect((await consume(auth, ana, { step_up_token })).status).toBe(200);
  });

  test('a call that already spent its token can be retried', async () => {
    const body = { step_up_token: await tokenFor(auth, ana), call_hash: randomBytes(32).toString('base64url') };
    await consume(auth, ana, body);
    await put('transfers', { stopped: true });

    const again = await consume(auth, ana, body);

    expect([again.status, again.body.first]).toEqual([200, false]);
  });

  test('a PIN for any other endpoint is accepted', async () => {
    await put('transfers', { stopped: true });
    expect((await stepUp(auth, marta, { endpoint_key: 'user.manage' })).status).toBe(201);
    expect((await register()).status).toBe(201);
  });
});

describe('while sign-ups are stopped', () => {
  test('registering returns a 403 until the stop ends', async () => {
    await put('sign_ups', { stopped: true });

    expect(codeOf(await register())).toBe('403 sign_ups_stopped');
    await auth.signIn(ana.email);
    expect((await stepUp(auth, ana)).status).toBe(201);

    await put('sign_ups', { stopped: false });
    expect((await register()).status).toBe(201);
  });

  test('registering returns a 403 even if the password is already waiting to be hashed', async () => {
    const email = newEmail('Eva');
    const deps = {
      users: auth.users,
      stops: createStopStore(auth.connection),
      hasher: hashWhile(() => put('sign_ups', { stopped: true })),
      limits: { countRegistration: async () => undefined },
      clock,
    };

    const registered = registerUser(deps, { name: 'Eva', email, password: 'any' }, { address: '127.0.0.1' });

    await expect(registered).rejects.toMatchObject({ code: 'sign_ups_stopped' });
    expect(await auth.connection.collection('usuarios').findOne({ email })).toBeNull();
  });
});
