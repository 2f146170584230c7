import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import type { Call } from '@comanda/testing/call';
import { newEmail } from '@comanda/testing/credentials';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStackWithAuthCommands } from '@comanda/testing/stack';
import type { StackWithAuthCommands } from '@comanda/testing/stack';
import { choosePin, tokenFor, withoutLimits } from '@comanda/testing/step-up-calls';

const manageKey = 'user.manage';
const firstPassword = 'carpete-lua-garfo';
const ownPassword = 'minha-propria-chave';

/** All five services as processes; every call goes through the gateway. Staff open the tables. */
let stack: StackWithAuthCommands;
let marta: Call;
beforeAll(async () => {
  const servers = await isolatedServers('managers');
  stack = await startStackWithAuthCommands(servers, { ...withoutLimits, SEATING_OPENED_BY: 'staff' });
  marta = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(marta));
}, 120_000);
afterAll(() => stack.close());

const consent = async (manager: Call) => ({ 'x-step-up-token': await tokenFor(manager, manageKey) });
const signIn = async (email: string, password: string): Promise<Call> => {
  const { body } = await stack.call('POST', '/auth/login', { body: { email, password } });
  return caller(stack.gatewayUrl, { token: body.access_token });
};
const as = ({ token }: { token: string }): Call => caller(stack.gatewayUrl, { token });
/** A user whom Marta has added, and who has changed the password. */
async function addUser(role: string): Promise<{ id: number; email: string; call: Call }> {
  const email = newEmail('walter');
  const body = { name: 'Walter', email, password: firstPassword, role };
  const { id } = created(await marta('POST', '/users', { body, headers: await consent(marta) }));
  const change = { current: firstPassword, password: ownPassword };
  const first = await signIn(email, firstPassword);
  expect((await first('PUT', '/auth/password', { body: change })).status).toBe(204);
  return { id, email, call: await signIn(email, ownPassword) };
}

describe('who has only the access token of a manager', () => {
  test('when they add or promote an accomplice, then 401, and there is no new manager', async () => {
    const user = await stack.auth.waiter();
    const [id, walter] = [user.id, as(user)];
    const body = { name: 'Eve', email: newEmail('eve'), password: firstPassword, role: 'manager' };
    expect(codeOf(await marta('POST', '/users', { body }))).toBe('401 step_up_required');
    expect(codeOf(await marta('PUT', `/users/${id}`, { body: { role: 'manager' } }))).toBe('401 step_up_required');
    expect((await walter('GET', '/auth/me')).body.role).toBe('waiter');
    const login = { body: { email: body.email, password: firstPassword } };
    expect(codeOf(await stack.call('POST', '/auth/login', login))).toBe('401 invalid_credentials');
  });

  test('when the manager is disabled, then the token, also with a step-up token from before, changes nothing', async () => {
    const [manager, waiter] = [await stack.auth.manager(), await stack.auth.waiter()];
    const [{ id }, bruno, { id: target }, walter] = [manager, as(manager), waiter, as(waiter)];
    created(await choosePin(bruno));
    const headers = await consent(bruno);
    const disable = { body: { status: 'disabled' }, headers: await consent(marta) };
    expect((await marta('PUT', `/users/${id}`, disable)).status).toBe(200);
    const promote = { body: { role: 'manager' }, headers };
    expect(codeOf(await bruno('PUT', `/users/${target}`, promote))).toBe('401 step_up_invalid');
    expect((await walter('GET', '/auth/me')).body.role).toBe('waiter');
  });

  test('when they set the password of a user without a PIN and sign in as them, then they get no PIN', async () => {
    const ana = await stack.auth.customer();
    const change = { body: { password: firstPassword }, headers: await consent(marta) };
    expect((await marta('PUT', `/users/${ana.id}`, change)).status).toBe(200);
    const body = { current: firstPassword, password: ownPassword };
    await (
      await signIn(ana.email, firstPassword)
    )('PUT', '/auth/password', { body });
    expect(codeOf(await choosePin(await signIn(ana.email, ownPassword)))).toBe('403 reset_too_soon');
  });
});

describe('the audit trail', () => {
  test('when a manager asks for it, then it tells who did what; a waiter gets 403, and sees what concerns them', async () => {
    const { id, call: walter } = await addUser('waiter');
    const { body: entries } = await marta('GET', `/audit?user_id=${id}`);
    const { id: martaId } = (await marta('GET', '/auth/me')).body;
    expect(entries).toMatchObject([
      { type: 'user_created', actor: { id: martaId, role: 'manager' }, user_id: id, address: '127.0.0.1' },
    ]);
    expect(codeOf(await walter('GET', '/audit'))).toBe('403 forbidden');
    const { body: events } = await walter('GET', '/security/events?limit=200');
    expect(events.map(({ type }: { type: string }) => type)).toContain('user_created');
  });

  test('when an operator has created a manager, then the entry has no id of an actor', async () => {
    const { id } = (await marta('GET', '/auth/me')).body;
    const { body } = await marta('GET', `/audit?user_id=${id}`);
    expect(body).toMatchObject([{ type: 'user_created', actor: { id: null, role: 'operator' }, address: 'console' }]);
  });
});

describe('SEATING_OPENED_BY=staff', () => {
  test('when a code was photographed, then it seats nobody until a waiter opens the table, nor after it was closed', async () => {
    const { table_token: code } = (await marta('PUT', '/tables/7')).body;
    const scan = () => stack.call('POST', '/auth/guest', { body: { table_token: code, name: 'Gil' } });
    expect(codeOf(await scan())).toBe('403 seating_not_open');
    const walter = as(await stack.auth.waiter());
    const { seating } = (await walter('POST', '/tables/7/open')).body;
    const guest = (await scan()).body;
    const asGuest = caller(stack.gatewayUrl, { token: guest.access_token });
    expect((await asGuest('GET', '/auth/me')).body).toMatchObject({ name: 'Gil', email: null });
    const { items } = created(await asGuest('POST', '/orders', { body: { items: [await dish()] } }));
    expect(items).toHaveLength(1);
    const [listed] = (await walter('GET', '/orders?table=7')).body;
    expect([listed.seating, listed.placed_by.name]).toEqual([seating, 'Gil']);
    const { body: users } = await marta('GET', '/users?limit=200');
    expect(users.filter(({ name }: { name: string }) => name === 'Gil')).toEqual([]);
    await walter('POST', '/tables/7/close');
    expect(codeOf(await scan())).toBe('403 seating_not_open');
  });

  async function dish(): Promise<{ item_id: number; quantity: number }> {
    const { id } = created(await marta('POST', '/menu', { body: { name: newEmail('dish'), price: '12.50' } }));
    return { item_id: id, quantity: 1 };
  }
});

test('when a name has as many emoji as characters are allowed, then it and those beside it register', async () => {
  const register = (name: string) => {
    const body = { name, email: newEmail('emoji'), password: ownPassword };
    return stack.call('POST', '/auth/register', { body });
  };
  const [longest, beside, tooLong] = await Promise.all(['😀'.repeat(255), 'Ana', '😀'.repeat(256)].map(register));

  expect([longest, beside, tooLong].map((answer) => answer && codeOf(answer))).toEqual([
    '201',
    '201',
    '400 validation_failed',
  ]);
  expect(tooLong?.body.errors).toMatchObject([{ pointer: '/name' }]);
});
