import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { password } from '@comanda/testing/credentials';
import { until } from '@comanda/testing/until';
import { Redis } from 'ioredis';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { changeUser, stepUp, storePin } from './support/pins.ts';

let auth: AuthStepupHarness;
let redis: Redis;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ settings: { PASSWORD_MAX_FAILURES: '4' } });
  redis = new Redis(auth.servers.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await auth.close();
});

const login = async (email: string, secret = password) =>
  codeOf(await auth.call('POST', '/auth/login', { body: { email, password: secret } }));
const storedCount = async (email: string): Promise<number> => {
  const users = auth.connection.collection('usuarios');
  return (await users.findOne({ email }, { readConcern: 'majority' }))?.['wrong_passwords'];
};
/** Guesses once and waits until the guess is counted, which happens after the service's response. */
async function guess(email: string): Promise<string> {
  const before = await storedCount(email);
  const code = await login(email, 'not-the-password');
  if (code === '401 invalid_credentials') await untilStored(email, before + 1);
  return code;
}
const untilStored = (email: string, count: number) =>
  until(async () => (await storedCount(email)) === count, { what: `${count} wrong passwords to be stored` });
async function block(email: string): Promise<void> {
  for (let count = 0; count < 4; count++) await guess(email);
}

test('too many wrong passwords block even the right one until a manager sets a new password', async () => {
  const [ana, marta] = [await auth.customer(), await auth.manager()];
  await storePin(auth, marta);
  const responses = [];
  for (let count = 0; count < 5; count++) {
    responses.push(await guess(ana.email));
    const keys = await redis.keys(`${auth.env['REDIS_PREFIX'] ?? ''}limit:*`);
    if (keys.length > 0) await redis.del(keys);
  }
  expect(responses).toEqual([...Array<string>(4).fill('401 invalid_credentials'), '403 password_blocked']);
  expect(await login(ana.email)).toBe('403 password_blocked');

  expect((await changeUser(auth, marta, { id: ana.id, change: { password: 'carpete-lua-garfo' } })).status).toBe(200);

  expect(await login(ana.email, 'carpete-lua-garfo')).toBe('200');
});

test('the right password resets the count of wrong ones', async () => {
  const { email } = await auth.customer();
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 3; count++) expect(await guess(email)).toBe('401 invalid_credentials');
    expect(await login(email)).toBe('200');
  }
});

test("the right PIN in an existing session unblocks the user's password", async () => {
  const ana = await auth.customer();
  await storePin(auth, ana);
  await block(ana.email);
  expect(await login(ana.email)).toBe('403 password_blocked');

  expect((await stepUp(auth, ana, { transaction_password: '604817' })).status).toBe(403);
  expect(await login(ana.email)).toBe('403 password_blocked');
  expect((await stepUp(auth, ana)).status).toBe(201);

  expect(await login(ana.email)).toBe('200');
});

test('a wrong current password in a password change counts as a wrong password', async () => {
  const ana = await auth.customer();
  const change = async (current: string) =>
    codeOf(await auth.as(ana)('PUT', '/auth/password', { body: { current, password: 'carpete-lua-garfo' } }));
  for (let count = 1; count <= 4; count++) {
    expect(await change('not-the-password')).toBe('403 password_invalid');
    await untilStored(ana.email, count);
  }
  expect(await change(password)).toBe('403 password_blocked');
});

test('a disabled user gets the same responses as an unknown one', async () => {
  const ana = await auth.customer();
  await auth.connection.collection('usuarios').updateOne({ usuarioID: ana.id }, { $set: { status: 'disabled' } });
  const responses = [];
  for (let count = 0; count < 6; count++)
    responses.push(await login(ana.email), await login('nobody@example.test', 'not-the-password'));
  expect(new Set(responses)).toEqual(new Set(['401 invalid_credentials']));
});
