import { createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readStatement } from '@comanda/shared/crypto/statement';
import { signatureHeader, signRequest } from '@comanda/shared/http/service-signature';
import { until } from '@comanda/testing/until';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import { testService } from '@comanda/testing/test-secrets';
import jwt from 'jsonwebtoken';
import { minPinVersionKey } from '../src/pin/redis-keys.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { whileRefusing } from './support/refused-writes.ts';
import {
  changeUser,
  consume,
  managerWithPin,
  otherPin,
  pin,
  resetKey,
  stepUp,
  storePin,
  tokenFor,
  transferKey,
} from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let ana: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  ana = await auth.customer('Ana');
  await storePin(auth, ana);
});
afterAll(() => auth.close());

const newFingerprint = (): string => randomBytes(32).toString('base64url');
const challenge = 'Bearer error="insufficient_user_authentication", acr_values="urn:comanda:step-up"';

describe('issuing a step-up token', () => {
  test('returns a signed token that is valid for 120 seconds', async () => {
    const { status, body } = await stepUp(auth, ana);
    expect([status, body.token_type, body.expires_in, body.endpoint_key]).toEqual([201, 'step-up', 120, transferKey]);
    const { header, payload } = jwt.decode(body.step_up_token, { complete: true }) as jwt.Jwt;
    expect(header).toMatchObject({ alg: 'ES256', typ: 'step-up+jwt' });
    expect(payload).toMatchObject({ aud: 'comanda:step-up', sub: String(ana.id), endpoint_key: transferKey });
    const { iat = 0, exp = 0 } = payload as jwt.JwtPayload;
    expect(exp - iat).toBe(120);
  });

  test('returns a 422 for an unknown endpoint key', async () => {
    const unknown = { endpoint_key: 'nothing.like_it', transaction_password: '000000' };
    const manager = { endpoint_key: resetKey, transaction_password: '000000' };
    expect(codeOf(await stepUp(auth, ana, unknown))).toBe('422 endpoint_key_unknown');
    expect(codeOf(await stepUp(auth, ana, manager))).toBe('403 forbidden');
    expect((await auth.as(ana)('GET', '/security/transaction-password')).body.attempts_remaining).toBe(3);
  });

  test('adds a security event with the name of the action', async () => {
    const eva = await auth.customer('Eva');
    await storePin(auth, eva);
    const transfer = { type: 'internal_transfer', to_account_id: 7, amount: '12.5', currency: 'BRL' };
    await tokenFor(auth, eva);
    await tokenFor(auth, eva, { authorization_details: [transfer] });

    const { body } = await auth.as(eva)('GET', '/security/events');

    const origin = { time: expect.any(String), address: '127.0.0.1', user_agent: 'node' };
    const issued = { type: 'step_up_issued', ...origin, jti: expect.any(String) };
    expect(body.filter(({ type }: { type: string }) => type === 'step_up_issued')).toEqual([
      { ...issued, endpoint_key: transferKey, authorization_details: [{ ...transfer, amount: '12.50' }] },
      { ...issued, endpoint_key: transferKey },
    ]);
  });

  test('adds another security event when the token is spent', async () => {
    const eva = await auth.customer('Eva');
    await storePin(auth, eva);
    const transfer = { type: 'internal_transfer', to_account_id: 7, amount: '12.50', currency: 'BRL' };
    const token = await tokenFor(auth, eva, { authorization_details: [transfer] });
    const body = { step_up_token: token, call_hash: newFingerprint(), details: [{ ...transfer, from_account_id: 3 }] };
    await consume(auth, eva, body);
    await consume(auth, eva, body);

    const [spent, issued] = await until(
      async () => {
        const { body: events } = await auth.as(eva)('GET', '/security/events');
        return events[0].type === 'step_up_spent' ? (events as Record<string, unknown>[]) : null;
      },
      { what: 'the event of the spent token' },
    );

    const { jti } = jwt.decode(token) as jwt.JwtPayload;
    const purpose = { endpoint_key: transferKey, authorization_details: [transfer], jti };
    expect(issued).toMatchObject({ type: 'step_up_issued', ...purpose });
    const origin = { time: expect.any(String), address: 'service', user_agent: '' };
    expect(spent).toEqual({ type: 'step_up_spent', ...origin, ...purpose });
  });

  test('returns a 409 if the user has no PIN', async () => {
    expect(codeOf(await stepUp(auth, await auth.customer()))).toBe('409 transaction_password_absent');
  });
});

describe('spending a step-up token', () => {
  test('succeeds for only one of 20 simultaneous calls without a request fingerprint', async () => {
    const token = await tokenFor(auth, ana);
    const responses = await Promise.all(Array.from({ length: 20 }, () => consume(auth, ana, { step_up_token: token })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter((response) => codeOf(response) === '401 step_up_used')).toHaveLength(19);
    expect(responses.find(({ status }) => status === 200)?.body).toEqual({
      jti: (jwt.decode(token) as jwt.JwtPayload)['jti'],
      pin_version: 1,
      first: true,
      consent: expect.any(String),
    });
  });

  test('returns a signed proof of the authorization', async () => {
    const details = [{ type: 'internal_transfer', to_account_id: 22, amount: '12.5', currency: 'BRL' }];
    const normal = [{ ...details[0], amount: '12.50' }];
    const bound = await tokenFor(auth, ana, { authorization_details: details });
    const free = await tokenFor(auth, ana);
    const call_hash = newFingerprint();
    const spendAgain = () => consume(auth, ana, { step_up_token: free, call_hash });

    const done = [{ ...normal[0], from_account_id: 21 }];
    const consents = [
      (await consume(auth, ana, { step_up_token: bound, details: done })).body.consent,
      (await spendAgain()).body.consent,
      (await spendAgain()).body.consent,
    ];

    const { keys } = (await auth.call('GET', '/.well-known/jwks.json')).body;
    const read = (jws: string): unknown => {
      const { kid } = jwt.decode(jws, { complete: true })?.header ?? {};
      const jwk = keys.find((key: Record<string, string>) => key['kid'] === kid && key['purpose'] === 'consents');
      const publicKeys = new Map([[kid ?? '', createPublicKey({ key: jwk, format: 'jwk' })]]);
      return readStatement(jws, 'consent+jws', publicKeys);
    };
    const claims = {
      iss: 'comanda',
      sub: String(ana.id),
      endpoint_key: transferKey,
      pin_version: 1,
      iat: expect.any(Number),
    };
    const jtiOf = (token: string): unknown => (jwt.decode(token) as jwt.JwtPayload)['jti'];
    expect(consents.map(read)).toEqual([
      { ...claims, jti: jtiOf(bound), authorization_details: normal },
      { ...claims, jti: jtiOf(free) },
      { ...claims, jti: jtiOf(free) },
    ]);
  });

  test('succeeds for 20 calls with the same request fingerprint', async () => {
    const token = await tokenFor(auth, ana);
    const body = { step_up_token: token, call_hash: newFingerprint() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => consume(auth, ana, body)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(responses.filter(({ body: { first } }) => first)).toHaveLength(1);
    expect(codeOf(await consume(auth, ana, { ...body, call_hash: newFingerprint() }))).toBe('401 step_up_used');
    expect(codeOf(await consume(auth, ana, { step_up_token: token }))).toBe('401 step_up_used');
  });

  test('fails for another endpoint', async () => {
    const token = await tokenFor(auth, ana);
    const elsewhere = await consume(auth, ana, { step_up_token: token, endpoint_key: 'account_deposit.create' });
    expect([codeOf(elsewhere), elsewhere.headers.get('www-authenticate')]).toEqual([
      '401 step_up_wrong_endpoint',
      challenge,
    ]);
    expect((await consume(auth, ana, { step_up_token: token })).status).toBe(200);
  });

  test("fails for another user's token", async () => {
    const token = await tokenFor(auth, ana);
    const bia = await auth.customer('Bia');
    const [head, body] = token.split('.');
    const forged = jwt.sign(jwt.decode(token) as object, randomUUID(), { algorithm: 'HS256' });
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'step-up+jwt' })).toString('base64url')}.${body}.`;
    for (const bad of [`${head}.${body}.AAAA`, ana.token, forged, none, 'x', '', 'a.b.c', 'é', token.slice(0, -1)])
      expect(codeOf(await consume(auth, ana, { step_up_token: bad }))).toMatch(
        bad === '' ? /^400 validation_failed$/ : /^401 step_up_invalid$/,
      );
    expect(codeOf(await consume(auth, bia, { step_up_token: token }))).toBe('401 step_up_invalid');
    expect(codeOf(await auth.as({ token })('GET', '/auth/me'))).toBe('401 invalid_token');
    expect((await consume(auth, ana, { step_up_token: token })).status).toBe(200);
  });

  test('fails after 120 seconds', async () => {
    const [unspent, spent] = [await tokenFor(auth, ana), await tokenFor(auth, ana)];
    const call = { step_up_token: spent, call_hash: newFingerprint() };
    await consume(auth, ana, call);
    clock.advance({ ms: 119_000 });
    expect((await consume(auth, ana, call)).body.first).toBe(false);
    clock.advance({ ms: 2000 });
    expect(codeOf(await consume(auth, ana, call))).toBe('401 step_up_expired');
    expect(codeOf(await consume(auth, ana, { step_up_token: unspent }))).toBe('401 step_up_expired');
  });

  test('fails if Redis has lost the token', async () => {
    const token = await tokenFor(auth, ana);
    const { jti } = jwt.decode(token) as { jti: string };
    expect(await auth.redis.del(`jti:{${ana.id}}:${jti}`)).toBe(1);
    expect(codeOf(await consume(auth, ana, { step_up_token: token }))).toBe('401 step_up_invalid');
  });

  test('ignores unknown fields, because services are not updated at the same time', async () => {
    const token = await tokenFor(auth, ana);
    expect((await consume(auth, ana, { step_up_token: token, of_next_year: true })).status).toBe(200);
  });
});

describe('a step-up token with authorization details', () => {
  const agreed = { type: 'internal_transfer', to_account_id: 7, amount: '12.5', currency: 'BRL' };

  test('is spent by the agreed call, even if the amount is formatted differently', async () => {
    const token = await tokenFor(auth, ana, { authorization_details: [agreed] });
    const requested = { ...agreed, amount: '12.50' };
    expect((await consume(auth, ana, { step_up_token: token, details: [requested] })).status).toBe(200);
  });

  test('is spent but rejected if the amount differs', async () => {
    const token = await tokenFor(auth, ana, { authorization_details: [agreed] });
    const call = { step_up_token: token, call_hash: newFingerprint() };
    expect(codeOf(await consume(auth, ana, { ...call, details: [{ ...agreed, amount: '12.51' }] }))).toBe(
      '401 step_up_wrong_details',
    );
    expect(codeOf(await consume(auth, ana, { ...call, details: [agreed] }))).toBe('401 step_up_used');
  });
});

test('a step-up token stays unspent if the wrong service tries to spend it', async () => {
  const token = await tokenFor(auth, ana);
  const asked = { step_up_token: token, endpoint_key: transferKey };
  const post = (path: string, body: object) => {
    const request = { method: 'POST', target: path, body: Buffer.from(JSON.stringify(body)) };
    const headers = { [signatureHeader]: signRequest(testService('orders'), request).header };
    return auth.as(ana)('POST', path, { body, headers });
  };

  const alone = await post('/internal/step-up/consume', asked);
  const list = await post('/internal/step-up/consume-list', { requests: [{ ...asked, access_token: ana.token }] });

  expect(codeOf(alone)).toBe('403 caller_not_allowed');
  expect(list.body.results).toEqual([{ status: 403, body: { code: 'caller_not_allowed' } }]);
  expect((await consume(auth, ana, { step_up_token: token })).status).toBe(200);
});

describe('valid step-up tokens', () => {
  test('become invalid when the PIN changes', async () => {
    const caio = await auth.customer('Caio');
    await storePin(auth, caio);
    const [spent, unspent] = [await tokenFor(auth, caio), await tokenFor(auth, caio)];
    const call = { step_up_token: spent, call_hash: newFingerprint() };
    await consume(auth, caio, call);
    const change = { current: pin, transaction_password: otherPin, confirmation: otherPin };
    expect((await auth.as(caio)('PUT', '/security/transaction-password', { body: change })).status).toBe(200);
    expect(codeOf(await consume(auth, caio, { step_up_token: unspent }))).toBe('401 step_up_invalid');
    expect(codeOf(await consume(auth, caio, call))).toBe('401 step_up_invalid');
    // The old token is rejected even if Redis has lost the minimum version.
    await auth.redis.del(minPinVersionKey(caio.id));
    expect(codeOf(await consume(auth, caio, { step_up_token: unspent }))).toBe('401 step_up_invalid');
    const token = await tokenFor(auth, caio, { transaction_password: otherPin });
    expect((await consume(auth, caio, { step_up_token: token })).body.pin_version).toBe(2);
  });

  test("become invalid even if the new PIN can't be stored", async () => {
    const caio = await auth.customer('Caio');
    await storePin(auth, caio);
    const token = await tokenFor(auth, caio);
    const body = { current: pin, transaction_password: otherPin, confirmation: otherPin };
    const changed = await whileRefusing(auth, 'usuarios', () =>
      auth.as(caio)('PUT', '/security/transaction-password', { body }),
    );

    expect(codeOf(changed)).toBe('500 internal_error');
    expect(codeOf(await consume(auth, caio, { step_up_token: token }))).toBe('401 step_up_invalid');
    expect(codeOf(await stepUp(auth, caio))).toBe('503 service_unavailable');
    // Redis deletes the minimum version after 150 s, when all earlier tokens have expired.
    const remainingMs = await auth.redis.pttl(minPinVersionKey(caio.id));
    expect(remainingMs > 120_000 && remainingMs <= 150_000).toBe(true);
    await auth.redis.del(minPinVersionKey(caio.id));
    expect(codeOf(await stepUp(auth, caio))).toBe('201');
  });

  test('stay valid if the PIN is blocked', async () => {
    const davi = await auth.customer('Davi');
    await storePin(auth, davi);
    const token = await tokenFor(auth, davi);
    for (let attempt = 0; attempt < 3; attempt++) await stepUp(auth, davi, { transaction_password: '604817' });
    expect(codeOf(await stepUp(auth, davi))).toBe('429 transaction_password_blocked');
    expect((await consume(auth, davi, { step_up_token: token })).status).toBe(200);
  });

  test.each([
    ['disabled', { status: 'disabled' }, ['401 invalid_token', '401 invalid_token']],
    ['given another role', { role: 'waiter' }, ['401 step_up_invalid', '201']],
    [
      'given another password',
      { password: 'set-by-the-manager' },
      ['403 password_change_required', '403 password_change_required'],
    ],
  ])('become invalid immediately if the user is %s', async (_what, change, afterwards) => {
    const [eva, marta] = [await auth.customer('Eva'), await managerWithPin(auth)];
    await storePin(auth, eva);
    const token = await tokenFor(auth, eva);
    expect((await changeUser(auth, marta, { id: eva.id, change })).status).toBe(200);
    const again = await auth.newSession(eva); // the change has ended the first session
    expect([codeOf(await consume(auth, again, { step_up_token: token })), codeOf(await stepUp(auth, again))]).toEqual(
      afterwards,
    );
  });
});
