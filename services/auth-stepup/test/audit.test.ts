import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { createTestClock } from '@comanda/testing/test-clock';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { createManager } from '../src/users/create-manager.ts';
import { approvePinResetByOperator } from '../src/pin/approve-pin-reset-by-operator.ts';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { silentLogger } from '@comanda/testing/silent-logger';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { whileRefusing } from './support/refused-writes.ts';
import {
  changeUser,
  createPin,
  createUser,
  manageKey,
  managerWithPin,
  resetKey,
  storePin,
  tokenFor,
} from './support/pins.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness({ clock });
  marta = await managerWithPin(auth);
});
afterAll(() => auth.close());

const firstPassword = 'mesa-farofa-violao';
const newUser = () => ({ name: 'Walter', email: newEmail('Walter'), password: firstPassword, role: 'waiter' });
const auditOf = async (query = '') => (await auth.as(marta)('GET', `/audit${query}`)).body;
const typesOf = (list: { type: string }[]): string[] => list.map(({ type }) => type);
const eventsOf = async (who: { token: string }): Promise<string[]> =>
  typesOf((await auth.as(who)('GET', '/security/events')).body);
async function approveReset(userId: number): Promise<number> {
  const headers = { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: resetKey }) };
  const { status } = await auth.as(marta)('POST', `/users/${userId}/transaction-password-resets`, { headers });
  return status;
}

describe('the audit trail', () => {
  test('lists each change to a user with the manager who made it', async () => {
    const { id, email } = (await createUser(auth, marta, newUser())).body;
    await changeUser(auth, marta, { id, change: { role: 'customer', password: 'carpete-lua-garfo' } });
    await changeUser(auth, marta, { id, change: { status: 'disabled' } });
    await changeUser(auth, marta, { id, change: { status: 'active' } });

    const entries = await auditOf(`?user_id=${id}`);

    const actor = { id: marta.id, role: 'manager' };
    const time = new Date(clock()).toISOString();
    const common = { id: expect.any(Number), time, actor, user_id: id, address: '127.0.0.1' };
    expect(entries).toEqual([
      { ...common, type: 'user_enabled', details: {} },
      { ...common, type: 'user_disabled', details: {} },
      { ...common, type: 'password_set_by_manager', details: {} },
      { ...common, type: 'role_changed', details: { role: 'customer', previous_role: 'waiter' } },
      { ...common, type: 'user_created', details: { role: 'waiter' } },
    ]);
    const walter = await auth.signIn(email, 'carpete-lua-garfo');
    await auth.as(walter)('PUT', '/auth/password', {
      body: { current: 'carpete-lua-garfo', password: 'minha-propria-chave' },
    });
    const own = await eventsOf(await auth.signIn(email, 'minha-propria-chave'));
    expect(own.slice(-5)).toEqual(typesOf(entries));
    expect(own).toHaveLength(5 + 3);
  });

  test("lists changes to tables with the table's name", async () => {
    const name = newEmail('T')
      .slice(0, 10)
      .replaceAll(/[^A-Za-z0-9-]/g, 'x');
    for (const method of ['PUT', 'PUT', 'DELETE']) await auth.as(marta)(method, `/tables/${name}`);
    expect(codeOf(await auth.as(marta)('DELETE', `/tables/${name}`))).toBe('404 not_found');
    const listed = (await auditOf()).filter(({ details }: { details: { table?: string } }) => details.table === name);
    expect(typesOf(listed)).toEqual(['table_removed', 'table_code_changed', 'table_added']);
    expect(listed[0]).toMatchObject({ user_id: null, actor: { id: marta.id, role: 'manager' } });
  });

  test('lists an approved PIN reset only once, even if the request is retried', async () => {
    const ana = await auth.customer();
    await storePin(auth, ana);
    const token = await tokenFor(auth, marta, { endpoint_key: resetKey });
    const headers = { 'x-step-up-token': token, 'idempotency-key': newEmail('key') };
    const path = `/users/${ana.id}/transaction-password-resets`;
    await Promise.all(Array.from({ length: 5 }, () => auth.as(marta)('POST', path, { headers })));
    expect(await auditOf(`?user_id=${ana.id}`)).toMatchObject([
      { type: 'transaction_password_reset_approved', actor: { id: marta.id, role: 'manager' } },
    ]);
    expect(await eventsOf(ana)).toContain('transaction_password_reset_approved');
  });

  test('has no actor id for changes by an operator', async () => {
    const transactions = createTransactions({ connection: auth.connection, isUp: () => true, logger: silentLogger });
    const context = { connection: auth.connection, transactions };
    const email = newEmail('Marta');
    const args = ['--email', email, '--name', 'Marta'];
    await createManager(context, { args, password: firstPassword, clock });
    const sole = await auth.signIn(email, firstPassword);
    await createPin(auth, sole);
    await approvePinResetByOperator(context, { args: ['--email', email], clock });
    const { id } = (await auth.as(sole)('GET', '/auth/me')).body;
    const byOperator = { actor: { id: null, role: 'operator' }, address: 'console', user_id: id };
    expect(await auditOf(`?user_id=${id}`)).toMatchObject([
      { ...byOperator, type: 'transaction_password_reset_approved' },
      { ...byOperator, type: 'user_created', details: { role: 'manager' } },
    ]);
    await transactions.close();
  });

  test('returns each entry exactly once across several pages', async () => {
    const { id } = (await createUser(auth, marta, newUser())).body;
    for (const role of ['customer', 'waiter', 'customer', 'waiter'])
      await changeUser(auth, marta, { id, change: { role } });
    for (const query of [`user_id=${id}&`, '']) {
      const seen: number[] = [];
      let next: string | undefined = `/audit?${query}limit=2`;
      while (next !== undefined) {
        const { body, headers } = await auth.as(marta)('GET', next);
        expect(body.length).toBeLessThanOrEqual(2);
        seen.push(...body.map((entry: { id: number }) => entry.id));
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual((await auditOf(`?${query}limit=200`)).map((entry: { id: number }) => entry.id));
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    }
  });

  test.each([
    ['user_id=x', '/user_id'],
    ['user_id=0', '/user_id'],
    ['user_id=1.5', '/user_id'],
    ['user_id=99999999999999999999', '/user_id'],
    ['user_id=1&user_id=2', '/user_id'],
    ['user_id[$gt]=0', '/user_id[$gt]'],
    ['cursor=x', '/cursor'],
    ['cursor=', '/cursor'],
    ['cursor=-1', '/cursor'],
    ['limit=0', '/limit'],
    ['limit=201', '/limit'],
    ['limit=ten', '/limit'],
    ['actor=1', '/actor'],
  ])('returns a 400 for the query %s', async (query, pointer) => {
    const { body, status } = await auth.as(marta)('GET', `/audit?${query}`);

    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toMatchObject([{ pointer, in: 'query' }]);
  });

  test.each(['audit', 'security_events'])('loses entries in %s after 180 days', async (collection) => {
    const indexes = await auth.connection.collection(collection).indexes();
    const expiry = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect([expiry?.key, expiry?.expireAfterSeconds]).toEqual([{ time: 1 }, 180 * 24 * 3600]);
  });
});

describe('writing a change together with its audit entry', () => {
  const count = (collection: string): Promise<number> => auth.connection.collection(collection).countDocuments();

  test.each(['audit', 'security_events'])(
    "fails completely if the entry can't be written to %s",
    async (collection) => {
      const ana = await auth.customer();
      await storePin(auth, ana);
      const users = auth.connection.collection('usuarios');
      // The outbox is left out, because the PIN's event disappears from it once the broker has confirmed the event.
      const readAna = () => users.findOne({ usuarioID: ana.id }, { projection: { outbox: 0 } });
      const before = await readAna();
      const body = newUser();
      // The tokens are issued first, because the security events for them could not be written later.
      const tokens = [await tokenFor(auth, marta, { endpoint_key: manageKey })];
      tokens.push(await tokenFor(auth, marta, { endpoint_key: manageKey }));
      const resetToken = await tokenFor(auth, marta, { endpoint_key: resetKey });
      const asMarta = auth.as(marta);
      const responses = await whileRefusing(auth, collection, async () => [
        await asMarta('POST', '/users', { body, headers: { 'x-step-up-token': tokens[0] ?? '' } }),
        await asMarta('PUT', `/users/${ana.id}`, {
          body: { role: 'manager', password: 'carpete-lua-garfo' },
          headers: { 'x-step-up-token': tokens[1] ?? '' },
        }),
        await asMarta('POST', `/users/${ana.id}/transaction-password-resets`, {
          headers: { 'x-step-up-token': resetToken },
        }),
      ]);
      expect(responses.map(codeOf)).toEqual(['500 internal_error', '500 internal_error', '500 internal_error']);
      expect(await users.findOne({ email: body.email.toLowerCase() })).toBeNull();
      expect(await readAna()).toEqual(before);
      expect(await auth.connection.collection('pin_reset_approvals').countDocuments({ user_id: ana.id })).toBe(0);
      expect(await auditOf(`?user_id=${ana.id}`)).toEqual([]);
      expect(await approveReset(ana.id)).toBe(201);
    },
  );

  test("changes no table if the entry can't be written", async () => {
    const { body: table } = await auth.as(marta)('PUT', '/tables/kept');
    const responses = await whileRefusing(auth, 'audit', async () => [
      await auth.as(marta)('PUT', '/tables/kept'),
      await auth.as(marta)('DELETE', '/tables/kept'),
      await auth.as(marta)('PUT', '/tables/not-added'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
    const { body: listed } = await auth.as(marta)('GET', '/tables');
    expect(listed.filter(({ table: name }: { table: string }) => ['kept', 'not-added'].includes(name))).toEqual([
      table,
    ]);
  });

  test("leaves no entry if the change can't be written", async () => {
    const ana = await auth.customer();
    const entriesBefore = await count('audit');
    const headers = { 'x-step-up-token': await tokenFor(auth, marta, { endpoint_key: manageKey }) };
    const body = { role: 'waiter' };
    const response = await whileRefusing(auth, 'usuarios', () =>
      auth.as(marta)('PUT', `/users/${ana.id}`, { body, headers }),
    );
    expect(codeOf(response)).toBe('500 internal_error');
    expect(await count('audit')).toBe(entriesBefore);
    expect(await eventsOf(ana)).toEqual([]);
  });
});
