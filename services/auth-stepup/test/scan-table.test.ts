import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { startOrdersStub, type OrdersStub } from './support/orders-stub.ts';

const clock = createTestClock();
let auth: AuthStepupHarness;
let orders: OrdersStub;
let marta: TestUser;
let walter: TestUser;
beforeAll(async () => {
  orders = await startOrdersStub();
  auth = await startAuthStepupHarness({ clock, settings: { ORDERS_URL: orders.url } });
  [marta, walter] = [await auth.manager(), await auth.waiter()];
});
afterAll(async () => {
  await auth.close();
  await orders.close();
});

type Table = { table: string; token: string };
async function putTable(table = `T-${randomUUID().slice(0, 8)}`): Promise<Table> {
  const { body } = await auth.as(await auth.newSession(marta))('PUT', `/tables/${table}`);
  return { table, token: body.table_token };
}
const takeSeat = ({ refreshToken }: { refreshToken: string }, { token }: { token: string }) =>
  auth.call('POST', '/auth/seat', { body: { refresh_token: refreshToken, table_token: token } });
const scanWith = (token: string, name?: string) =>
  auth.call('POST', '/auth/guest', { body: { table_token: token, ...(name !== undefined && { name }) } });
const scan = async ({ token }: Table) => (await scanWith(token)).body;
const refresh = (token: string) => auth.call('POST', '/auth/refresh', { body: { refresh_token: token } });
const seatingOf = async (name: string): Promise<number | null> => {
  const { body } = await auth.as(await auth.newSession(walter))('GET', '/tables');
  return body.find(({ table }: { table: string }) => table === name).seating;
};
const close = async ({ table }: Table) => auth.as(await auth.newSession(walter))('POST', `/tables/${table}/close`);
const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;

describe("scanning a table's code as a guest", () => {
  test("returns tokens for the table's seating", async () => {
    const { table, token } = await putTable();
    const { status, body } = await scanWith(token, 'Ana');
    expect([status, body.expires_in]).toEqual([200, 300]);
    const claims = claimsOf(body.access_token);
    expect(claims).toMatchObject({ role: 'customer', name: 'Ana', table, seating: await seatingOf(table) });
    expect((claims['exp'] ?? 0) - (claims['iat'] ?? 0)).toBe(300);
    const me = await auth.as({ token: body.access_token })('GET', '/auth/me');
    expect(me.body).toMatchObject({ name: 'Ana', email: null, role: 'customer' });
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  test('returns the same seating to 20 guests who scan at the same time', async () => {
    const { table, token } = await putTable();
    const scanOnce = () => patient(auth.call)('POST', '/auth/guest', { body: { table_token: token } });
    const responses = await Promise.all(Array.from({ length: 20 }, scanOnce));
    const claims = responses.map(({ body }) => claimsOf(body.access_token));
    expect(new Set(claims.map(({ sub }) => sub)).size).toBe(20);
    expect(new Set(claims.map(({ seating }) => seating))).toEqual(new Set([await seatingOf(table)]));
  });

  test("returns a 401 for another table's token", async () => {
    const [{ table, token }, other] = [await putTable(), await putTable()];
    const mac = token.split('.')[1];
    for (const bad of [
      'x',
      `${other.table}.${mac}`,
      `${token}A`,
      `T-${randomUUID().slice(0, 8)}.${mac}`,
      '.',
      '../etc',
    ])
      expect([bad, codeOf(await scanWith(bad))]).toEqual([bad, '401 table_token_invalid']);
    expect(await seatingOf(table)).toBeNull();
  });

  test('returns a 429 for the 61st scan of a code within a minute', async () => {
    const limited = await startAuthStepupHarness({ clock, settings: { RATE_LIMIT_GUEST: '60' } });
    try {
      const asManager = limited.as(await limited.manager());
      const [table, otherTable] = [await asManager('PUT', '/tables/1'), await asManager('PUT', '/tables/2')];
      const scanTable = () => limited.call('POST', '/auth/guest', { body: { table_token: table.body.table_token } });
      const responses = await Promise.all(Array.from({ length: 61 }, scanTable));
      expect(responses.filter((response) => codeOf(response) === '429 rate_limited')).toHaveLength(1);
      const other = await limited.call('POST', '/auth/guest', { body: { table_token: otherTable.body.table_token } });
      expect(other.status).toBe(200);
      clock.advance({ ms: 60_000 });
      expect((await scanTable()).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  test('returns a 403 seating_not_open at a closed table that only staff may open', async () => {
    const { table, token } = await putTable();
    const { table: busy, token: busyToken } = await putTable();
    const earlier = (await scanWith(busyToken)).body; // a guest opened this table before the setting was changed
    const strict = await startAuthStepupHarness({
      clock,
      servers: auth.servers,
      settings: { ...auth.env, SEATING_OPENED_BY: 'staff' },
    });
    try {
      const scanThere = (of: string) => strict.call('POST', '/auth/guest', { body: { table_token: of } });
      const asWalter = strict.as(await auth.newSession(walter));
      const refused = await scanThere(token);
      expect([codeOf(refused), refused.body.title]).toEqual(['403 seating_not_open', 'Table not open']);
      expect(codeOf(await scanThere(busyToken))).toBe('403 seating_not_open');
      // Guests who were seated before the change keep their seating. Staff open the same seating for other guests.
      const fresh = await strict.call('POST', '/auth/refresh', { body: { refresh_token: earlier.refresh_token } });
      expect(fresh.status).toBe(200);
      const seating = claimsOf(earlier.access_token)['seating'];
      expect((await asWalter('POST', `/tables/${busy}/open`)).body.seating).toBe(seating);
      expect((await scanThere(busyToken)).status).toBe(200);

      const { seating: opened } = (await asWalter('POST', `/tables/${table}/open`)).body;
      expect(claimsOf((await scanThere(token)).body.access_token)['seating']).toBe(opened);
      await asWalter('POST', `/tables/${table}/close`);
      expect(codeOf(await scanThere(token))).toBe('403 seating_not_open');
      expect(codeOf(await scanThere(`${table}.AAAAAAAAAAAAAAAAAAAAAA`))).toBe('401 table_token_invalid');
    } finally {
      await strict.close();
    }
  });
});

describe('taking a seat as a customer with an account', () => {
  test("adds the table's seating to the access token", async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const guest = claimsOf((await scan(table)).access_token);

    const { status, body } = await takeSeat(ana, table);

    const claims = claimsOf(body.access_token);
    expect([status, body.expires_in]).toEqual([200, 300]);
    expect(claims).toMatchObject({ sub: String(ana.id), table: table.table, guest: false });
    expect([claims['seating'], guest['guest']]).toEqual([guest['seating'], true]);
    expect((claims['exp'] ?? 0) - (claims['iat'] ?? 0)).toBe(300);
    const asAna = auth.as({ token: body.access_token });
    expect((await asAna('GET', '/security/transaction-password')).status).toBe(200);
    expect((await asAna('GET', '/auth/me')).body).toMatchObject({ id: ana.id, email: ana.email });
  });

  test('lasts until the table is closed', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const seated = (await takeSeat(ana, table)).body;
    const refreshed = (await refresh(seated.refresh_token)).body;
    expect((await close(table)).status).toBe(204);
    const left = (await refresh(refreshed.refresh_token)).body;
    await scan(table); // the next seating starts

    const later = (await refresh(left.refresh_token)).body;

    expect(claimsOf(refreshed.access_token)).toMatchObject({ table: table.table, guest: false });
    expect(refreshed.expires_in).toBe(300);
    for (const { access_token: token, expires_in: expiresIn } of [left, later]) {
      expect(claimsOf(token)).not.toHaveProperty('table');
      expect(claimsOf(token)).not.toHaveProperty('seating');
      expect(expiresIn).toBe(900);
    }
    expect((await auth.as({ token: seated.access_token })('GET', '/auth/me')).status).toBe(200);
  });

  test("ends at the next refresh after the table's code is replaced", async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const seated = (await takeSeat(ana, table)).body;
    await putTable(table.table);

    const { status, body } = await refresh(seated.refresh_token);

    expect(status).toBe(200);
    expect(claimsOf(body.access_token)).not.toHaveProperty('table');
  });

  test('returns a 401 table_token_invalid for a wrong code', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];

    const wrong = await takeSeat(ana, { token: `${table.table}.AAAAAAAAAAAAAAAAAAAAAA` });

    expect(codeOf(wrong)).toBe('401 table_token_invalid');
    expect((await takeSeat(ana, table)).status).toBe(200);
  });

  test('returns a 401 without a refresh token', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const seated = (await takeSeat(ana, table)).body;
    clock.advance({ minutes: 2 });

    expect(codeOf(await takeSeat({ refreshToken: 'x' }, table))).toBe('401 invalid_refresh_token');
    expect(codeOf(await takeSeat(ana, table))).toBe('401 invalid_refresh_token');
    expect(codeOf(await refresh(seated.refresh_token))).toBe('401 invalid_refresh_token');
  });

  test('returns a 429 for made-up refresh tokens before looking up the table', async () => {
    const settings = { ...auth.env, RATE_LIMIT_REFRESH_FORGED: '1' };
    const strict = await startAuthStepupHarness({ clock, servers: auth.servers, settings });
    try {
      const body = () => ({ refresh_token: 'x', table_token: `T-1.${randomUUID()}` });
      await strict.call('POST', '/auth/seat', { body: body() });

      expect(codeOf(await strict.call('POST', '/auth/seat', { body: body() }))).toBe('429 rate_limited');
    } finally {
      await strict.close();
    }
  });

  test.each(['waiter', 'manager', 'guest'] as const)('returns a 403 forbidden to a %s', async (who) => {
    const table = await putTable();
    const refreshToken =
      who === 'guest' ? (await scan(await putTable())).refresh_token : (await auth[who]()).refreshToken;

    const refused = await takeSeat({ refreshToken }, table);

    expect(codeOf(refused)).toBe('403 forbidden');
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('returns new tokens if the first response was lost', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    await takeSeat(ana, table);

    const { status, body } = await takeSeat(ana, table);

    expect(status).toBe(200);
    expect(claimsOf(body.access_token)).toMatchObject({ table: table.table, guest: false });
  });

  test('returns a 403 seating_not_open if only staff may open tables', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const settings = { ...auth.env, SEATING_OPENED_BY: 'staff' };
    const strict = await startAuthStepupHarness({ clock, servers: auth.servers, settings });
    try {
      const body = { refresh_token: ana.refreshToken, table_token: table.token };
      const early = await strict.call('POST', '/auth/seat', { body });
      await strict.as(await auth.newSession(walter))('POST', `/tables/${table.table}/open`);

      expect(codeOf(early)).toBe('403 seating_not_open');
      expect((await strict.call('POST', '/auth/seat', { body })).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('still holds after a refresh by an older instance', async () => {
    const [table, ana] = [await putTable(), await auth.customer()];
    const seated = (await takeSeat(ana, table)).body;

    const stored = await auth.connection.collection('sessions').findOne({ user_id: ana.id });

    // The previous release treats a session with `seat` as a guest's.
    expect(stored).toMatchObject({ seat: null, customer_seat: { table: table.table } });
    expect((await refresh(seated.refresh_token)).status).toBe(200);
  });
});
