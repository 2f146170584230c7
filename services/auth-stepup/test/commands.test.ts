import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf } from '@comanda/testing/call';
import { compileCacheDir } from '@comanda/testing/environment';
import { startServiceProcess } from '@comanda/testing/service-process';
import { until } from '@comanda/testing/until';
import { signerAt } from '../src/keys/key-ring.ts';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { newEmail, password } from '@comanda/testing/credentials';
import { createPin, otherPin, pin, stepUp } from './support/pins.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let auth: AuthStepupHarness;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
});
afterAll(() => auth.close());

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, 'from-the-file-7\n');
afterAll(() => rmSync(folder, { recursive: true }));

type Ran = { code: number | null; out: string; err: string };
type Run = { args?: string[]; env?: Record<string, string>; input?: string };
function run(script: string, { args = [], env = {}, input = '' }: Run = {}): Promise<Ran> {
  const child = spawn(process.execPath, ['--conditions=source', `services/auth-stepup/src/${script}.ts`, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...auth.env, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

describe('find-twins', () => {
  test('lists duplicate tables and e-mail addresses from release 1.0.0', async () => {
    expect(await run('find-twins')).toEqual({
      code: 0,
      out: 'No two tables or e-mail addresses are the same.\n',
      err: '',
    });
    const [ana, twin] = [await auth.customer(), await auth.customer()];
    const asMarta = auth.as(await auth.newSession(await auth.manager()));
    expect(codeOf(await asMarta('PUT', '/tables/T9'))).toBe('201');
    const tables = auth.connection.collection<{ _id: string }>('tables');
    await tables.insertOne({ ...(await tables.findOne({ _id: 'T9' })), _id: 't9' });
    const users = auth.connection.collection('usuarios');
    const fullWidth = ana.email.replace('@', '\u{ad}@');
    await users.updateOne({ usuarioID: twin.id }, { $set: { email: fullWidth } });

    const { code, out } = await run('find-twins');

    expect([code, out.split('\n').length]).toEqual([0, 3]);
    expect(out).toMatch(/^Tables: "t9" and "T9"\. Close one of them and remove it\.\n/);
    expect(out).toContain(`"${ana.email}"`);
    expect(out).toContain(String.raw`\u{ad}`);
    expect(await tables.countDocuments({ _id: { $in: ['T9', 't9'] } })).toBe(2);
  });
});

describe('create-manager', () => {
  test.each([
    ['the environment', { env: { MANAGER_PASSWORD: 'from-the-environment' } }, 'from-the-environment'],
    ['the prompt', { input: 'from-the-prompt\n' }, 'from-the-prompt'],
    ['a file', { env: { MANAGER_PASSWORD_FILE: passwordFile } }, 'from-the-file-7'],
  ])('creates a manager who can sign in with the password given in %s', async (_where, options, secret) => {
    const email = newEmail('Marta');
    const { code, out, err } = await run('create-manager', { args: ['--email', email, '--name', 'Marta'], ...options });
    expect([code, out]).toEqual([0, expect.stringContaining(email)]);
    expect(out + err).not.toContain(secret);
    const { token } = await auth.signIn(email, secret);
    expect((await auth.as({ token })('GET', '/users')).status).toBe(200);
  });

  const given = (env: Record<string, string>, email = newEmail('Marta')): Run => ({
    args: ['--email', email, '--name', 'Marta'],
    env,
  });
  const fine = { MANAGER_PASSWORD: 'long-and-unusual' };
  test.each([
    ['the input ends without a password', async () => given({}), /no password/],
    ['no e-mail address is given', async () => ({ env: fine }), /^usage: /],
  ])('exits with 1 if %s', async (_what, give, said) => {
    expect(await run('create-manager', await give())).toMatchObject({ code: 1, err: expect.stringMatching(said) });
  });

  test('exits with 78 and names the setting if MONGODB_URI is empty', async () => {
    const ran = await run('create-manager', { args: ['--email', 'a@b.test', '--name', 'A'], env: { MONGODB_URI: '' } });
    expect([ran.code, ran.err]).toEqual([78, expect.stringContaining('MONGODB_URI')]);
  });
});

describe('create-setup-code', () => {
  test('prints the address and a code that creates the first manager', async () => {
    await auth.connection.collection('usuarios').deleteMany({ papel: 'manager' });
    const { code, out, err } = await run('create-setup-code', { env: { PUBLIC_URL: 'https://menu.example.com' } });
    expect([code, err]).toEqual([0, '']);
    const [, printed] = /^Open https:\/\/menu\.example\.com\/kitchen and enter the setup code (\S+)/.exec(out) ?? [];
    const body = { code: printed, name: 'Marta', email: newEmail('Marta'), password };
    expect(codeOf(await auth.call('POST', '/setup/manager', { body }))).toBe('201');
  });

  test('exits with 1 if there already is a manager', async () => {
    await auth.manager();
    const { code, out, err } = await run('create-setup-code');
    expect([code, out, err]).toEqual([1, '', expect.stringContaining('There is already a manager.')]);
  });
});

test('rotate-keys adds the next key to the published key set', async () => {
  const before = await auth.keys.findAll();
  const ran = await run('rotate-keys');
  expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^Key .* signs from /)]);
  expect(await auth.keys.findAll()).toHaveLength(before.length + 1);
  expect((await run('rotate-keys')).code).toBe(1);
});

test('rotate-keys --revoke makes another key sign', async () => {
  const ana = await auth.customer();
  const { kid } = signerAt(await auth.keys.findAll(), Date.now()) ?? { kid: '' };
  const ran = await run('rotate-keys', { args: ['--revoke', kid] });
  expect([ran.code, ran.out, ran.err]).toEqual([0, expect.stringMatching(`^Key ${kid} is revoked. Key .* signs`), '']);
  const refused = await until(
    async () => {
      const response = await auth.as(ana)('GET', '/auth/me');
      return response.status === 401 ? response : null;
    },
    { what: 'tokens of the revoked key to be refused' },
  );
  expect(codeOf(refused)).toBe('401 invalid_token');
  expect((await auth.as(await auth.customer())('GET', '/auth/me')).status).toBe(200);
  const { body: audit } = await auth.as(await auth.manager())('GET', '/audit');
  expect(audit[0]).toMatchObject({
    type: 'signing_key_revoked',
    actor: { id: null, role: 'operator' },
    user_id: null,
    details: { kid },
    address: 'console',
  });
  expect(await run('rotate-keys', { args: ['--revoke', kid] })).toMatchObject({
    code: 1,
    err: expect.stringContaining(`No signing key has the kid ${kid}.`),
  });
  expect(await run('rotate-keys', { args: ['--revoke'] })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^usage: /),
  });
});

test("approve-pin-reset lets a restaurant's only manager set a new PIN", async () => {
  const marta = await auth.manager();
  const args = ['--email', marta.email.toUpperCase()];
  expect((await run('approve-pin-reset', { args })).err).toContain('No user with this e-mail address has a PIN.');
  await createPin(auth, marta);
  expect(await run('approve-pin-reset', { args })).toMatchObject({ code: 0, err: '' });
  const body = { password, transaction_password: otherPin, confirmation: otherPin };
  expect((await auth.as(marta)('POST', '/security/transaction-password/reset', { body })).status).toBe(200);
  expect((await stepUp(auth, marta, { transaction_password: otherPin })).status).toBe(201);
  const { body: events } = await auth.as(marta)('GET', '/security/events');
  expect(events.map(({ type }: { type: string }) => type)).toContain('transaction_password_reset_approved');
});

describe("the service's settings", () => {
  test('must include real secrets in production', async () => {
    const sealing = Buffer.from('demo-only-sealing-0123456789abcd').toString('base64');
    const demo = { NODE_ENV: 'production', KEY_SEALING_SECRET: `one:${sealing}`, PIN_PEPPER: `demo-only:${sealing}` };
    const refused = await run('main', { env: demo });
    expect(refused.code).toBe(78);
    expect(refused.err).toContain('KEY_SEALING_SECRET: a demo secret');
    expect(refused.err).toContain('PIN_PEPPER: a demo secret');
    const missing = await run('main', { env: { KEY_SEALING_SECRET: '', PIN_PEPPER: 'no-form' } });
    expect(missing.err).toMatch(/KEY_SEALING_SECRET: .*required[\s\S]*PIN_PEPPER: has the wrong format/);
    expect(missing.err).not.toContain('no-form');
  });
});

describe("the client's address", () => {
  const addressSeen = async (at: AuthStepupHarness): Promise<string> => {
    const ana = await at.customer();
    await at.as(ana)('DELETE', '/auth/sessions', { headers: { 'x-forwarded-for': '203.0.113.9' } });
    return (await at.as(ana)('GET', '/security/events')).body[0].address;
  };
  test("comes from the trusted proxy's header", async () => {
    expect(await addressSeen(auth)).toBe('203.0.113.9');
    const strict = await startAuthStepupHarness({ settings: { TRUSTED_PROXIES: '10.0.0.1' } });
    expect(await addressSeen(strict)).toBe('127.0.0.1');
    expect(codeOf(await strict.call('GET', '/nowhere'))).toBe('404 not_found');
    await strict.close();
  });
});

test('passwords and PINs are hashed with bcrypt cost 12 in production', async () => {
  const running = await startServiceProcess('auth-stepup', { ...auth.env, PORT: '0' });
  try {
    await running.ready();
    const [ana, marta] = [newEmail('Ana'), newEmail('Marta')];
    const call = caller(running.url);
    await call('POST', '/auth/register', { body: { name: 'Ana', email: ana, password } });
    await run('create-manager', { args: ['--email', marta, '--name', 'Marta'], env: { MANAGER_PASSWORD: password } });
    const { body } = await call('POST', '/auth/login', { body: { email: ana, password } });
    const chosen = { transaction_password: pin, confirmation: pin };
    await caller(running.url, { token: body.access_token })('POST', '/security/transaction-password', { body: chosen });

    const users = auth.connection.collection('usuarios');
    const cost12 = expect.stringMatching(/^\$2b\$12\$/);
    expect(await users.findOne({ email: ana })).toMatchObject({ senhaHash: cost12, pin: { hash: cost12 } });
    expect(await users.findOne({ email: marta })).toMatchObject({ senhaHash: cost12 });
  } finally {
    await running.end('SIGTERM');
  }
});
