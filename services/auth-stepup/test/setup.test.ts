import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { codeOf, type Called } from '@comanda/testing/call';
import { newEmail, password } from '@comanda/testing/credentials';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestClock } from '@comanda/testing/test-clock';
import { createSetupCode } from '../src/setup/create-setup-code.ts';
import { createManager } from '../src/users/create-manager.ts';
import { databaseText, startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { testHashCost } from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let transactions: ReturnType<typeof createTransactions>;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  transactions = createTransactions({ connection: auth.connection, isUp: () => true, logger: silentLogger });
});
afterAll(async () => {
  await transactions.close();
  await auth.close();
});
const users = () => auth.connection.collection('usuarios');
const storedCodes = () => auth.connection.collection('setup').find().toArray();
/** Removes all managers, as in a new restaurant. The limits of earlier tests are over. */
beforeEach(async () => {
  await users().deleteMany({ papel: 'manager' });
  clock.advance({ minutes: 2 });
});

const staffUrl = 'https://staff.example.com/';
const printCode = (): Promise<string> =>
  createSetupCode({ connection: auth.connection, transactions }, { staffUrl, clock });
const newCode = async (): Promise<string> => /setup code (\S+)/.exec(await printCode())?.[1] ?? '';
const newMarta = () => ({ name: 'Marta', email: newEmail('Marta'), password });
type Sent = Partial<ReturnType<typeof newMarta>> & { code: string; address?: string };
const setUp = ({ address, ...sent }: Sent): Promise<Called> =>
  auth.call('POST', '/setup/manager', {
    body: { ...newMarta(), ...sent },
    ...(address !== undefined && { headers: { 'x-forwarded-for': address } }),
  });
const needsManager = async (): Promise<boolean> => (await auth.call('GET', '/setup')).body.needs_first_manager;

describe('the first manager', () => {
  test('is created with the setup code, and is signed in', async () => {
    const marta = newMarta();
    expect(await needsManager()).toBe(true);

    const { status, body, headers } = await setUp({ code: await newCode(), ...marta });

    expect([status, await needsManager()]).toEqual([201, false]);
    expect(headers.get('set-cookie')).toMatch(/^comanda-device-.*HttpOnly/);
    const asMarta = auth.as({ token: body.access_token });
    const me = (await asMarta('GET', '/auth/me')).body;
    expect(me).toMatchObject({ name: 'Marta', email: marta.email.toLowerCase(), role: 'manager', status: 'active' });
    expect(me.must_change_password).toBe(false);
    expect((await asMarta('PUT', '/tables/1')).status).toBe(201);
    expect((await auth.call('POST', '/auth/refresh', { body: { refresh_token: body.refresh_token } })).status).toBe(
      200,
    );
    expect((await auth.signIn(marta.email)).token).toBeDefined();
    expect((await asMarta('GET', `/audit?user_id=${me.id}`)).body).toMatchObject([
      { type: 'user_created', actor: { id: me.id, role: 'manager' }, details: { role: 'manager' } },
    ]);
  });

  test('can be created only once, because the setup code is removed', async () => {
    const code = await newCode();
    expect((await setUp({ code })).status).toBe(201);

    expect(await storedCodes()).toEqual([]);
    expect(codeOf(await setUp({ code }))).toBe('409 setup_complete');
  });

  test('is created for only one of ten people who use the code at the same time', async () => {
    const code = await newCode();

    const responses = await Promise.all(Array.from({ length: 10 }, () => setUp({ code })));

    const codes = responses.map(codeOf);
    expect(codes.filter((each) => each === '201')).toHaveLength(1);
    expect(codes.filter((each) => each === '409 setup_complete')).toHaveLength(9);
    expect(await users().countDocuments({ papel: 'manager' })).toBe(1);
  });

  test('is created only once if the same person sends the request twice', async () => {
    const sent = { code: await newCode(), ...newMarta() };

    const responses = await Promise.all([setUp(sent), setUp(sent)]);

    expect(responses.map(codeOf).toSorted()).toEqual(['201', '409 setup_complete']);
  });

  test('can also be created with create-manager, which removes the code', async () => {
    const code = await newCode();
    const args = ['--email', newEmail('Marta'), '--name', 'Marta'];
    const context = { connection: auth.connection, transactions };
    await createManager(context, { args, password, clock, hashCost: testHashCost });

    expect(await storedCodes()).toEqual([]);
    expect(await needsManager()).toBe(false);
    expect(codeOf(await setUp({ code }))).toBe('409 setup_complete');
  });

  test('still counts as the first after being disabled', async () => {
    await setUp({ code: await newCode() });
    await users().updateMany({ papel: 'manager' }, { $set: { status: 'disabled' } });

    expect(await needsManager()).toBe(false);
    await expect(newCode()).rejects.toThrow('There is already a manager.');
  });

  test('can still use the code after choosing an e-mail address or password that is rejected', async () => {
    const [code, ana] = [await newCode(), await auth.customer()];

    expect(codeOf(await setUp({ code, email: ana.email }))).toBe('409 email_taken');
    expect(codeOf(await setUp({ code, password: 'password123' }))).toBe('422 password_too_weak');
    expect(codeOf(await setUp({ code, name: ' ' }))).toBe('400 validation_failed');
    expect(codeOf(await setUp({ code }))).toBe('201');
  });
});

describe('a setup code', () => {
  test('is printed together with the address where it is entered', async () => {
    expect(await printCode()).toMatch(
      /^Open https:\/\/staff\.example\.com\/kitchen and enter the setup code [0-9A-Z-]{34} within 24 hours\.$/,
    );
  });

  test('can be typed in lower case without hyphens', async () => {
    const code = (await newCode()).replaceAll('-', '').toLowerCase();

    expect(codeOf(await setUp({ code }))).toBe('201');
  });

  test('works for 24 hours', async () => {
    const code = await newCode();
    clock.advance({ minutes: 24 * 60 });
    expect(codeOf(await setUp({ code }))).toBe('401 setup_code_invalid');

    const next = await newCode();
    clock.advance({ minutes: 24 * 60 - 1 });
    expect(codeOf(await setUp({ code: next }))).toBe('201');
  });

  test('no longer works once there is a newer one', async () => {
    const [first, second] = [await newCode(), await newCode()];

    expect(codeOf(await setUp({ code: first }))).toBe('401 setup_code_invalid');
    expect(codeOf(await setUp({ code: second }))).toBe('201');
  });

  test.each([
    ['is wrong', '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-6GHJ'],
    ['has another form', 'nonsense'],
  ])("doesn't create a manager if it %s", async (_what, code) => {
    await newCode();

    expect(codeOf(await setUp({ code }))).toBe('401 setup_code_invalid');
    expect(await needsManager()).toBe(true);
  });

  test("doesn't create a manager if none was ever printed", async () => {
    await auth.connection.collection('setup').deleteMany({});

    expect(codeOf(await setUp({ code: '0000-0000-0000-0000-0000-0000-0000' }))).toBe('401 setup_code_invalid');
  });

  test("doesn't appear in the database or in the log", async () => {
    const [code, wrong] = [await newCode(), '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-6GHJ'];
    await setUp({ code: wrong });
    const stored = await databaseText(auth.connection);
    await setUp({ code });

    for (const each of [code, wrong])
      for (const written of [each, each.replaceAll('-', '')])
        expect([stored.includes(written), auth.log().includes(written)]).toEqual([false, false]);
    expect(auth.log()).toContain('a wrong setup code was entered');
  });

  test('can be tried only ten times a minute from one address', async () => {
    const code = await newCode();
    const tries = [];
    for (let index = 0; index < 11; index++) tries.push(codeOf(await setUp({ code: 'wrong', address: '203.0.113.1' })));

    expect(tries.slice(9)).toEqual(['401 setup_code_invalid', '429 rate_limited']);
    expect(codeOf(await setUp({ code, address: '203.0.113.1' }))).toBe('429 rate_limited');
    expect(codeOf(await setUp({ code, address: '203.0.113.2' }))).toBe('201');
  });

  test('still works while strangers try codes from a hundred addresses', async () => {
    const code = await newCode();
    const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);
    const tries = await Promise.all(addresses.map((address) => setUp({ code: 'wrong', address })));
    expect(new Set(tries.map(codeOf))).toEqual(new Set(['401 setup_code_invalid']));

    expect(codeOf(await setUp({ code, address: '203.0.113.3' }))).toBe('201');
  });
});
