import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestClock } from '@comanda/testing/test-clock';
import { codeOf } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { startOrdersStub, type OrdersStub } from './support/orders-stub.ts';
import { changeUser, managerWithPin } from './support/pins.ts';
import type { TestUser } from '@comanda/testing/auth-stepup-process';

const clock = createTestClock();
let auth: AuthStepupHarness;
let orders: OrdersStub;
let marta: TestUser;
let walter: TestUser;
beforeAll(async () => {
  orders = await startOrdersStub();
  const settings = {
    PUBLIC_URL: 'https://menu.example.com/',
    STAFF_URL: 'https://staff.example.com',
    ORDERS_URL: orders.url,
  };
  auth = await startAuthStepupHarness({ clock, settings });
  [marta, walter] = [await auth.manager(), await auth.waiter()];
});
afterAll(async () => {
  await auth.close();
  await orders.close();
});

const newTable = (): string => `T-${randomUUID().slice(0, 8)}`;
async function putTable(name = newTable()) {
  const { body } = await auth.as(await auth.newSession(marta))('PUT', `/tables/${name}`);
  return body as { table: string; table_token: string; url: string; seating: number | null };
}
const scan = (token: string, name?: string) =>
  auth.call('POST', '/auth/guest', { body: { table_token: token, ...(name !== undefined && { name }) } });
const refresh = (token: string) => auth.call('POST', '/auth/refresh', { body: { refresh_token: token } });
const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;
const seatingOf = async (name: string): Promise<number | null> => {
  const { body } = await auth.as(await auth.newSession(walter))('GET', '/tables');
  return body.find(({ table }: { table: string }) => table === name).seating;
};

describe('tables', () => {
  test("can't have names that differ only in case", async () => {
    const name = newTable();
    const twin = name.toLowerCase();
    const asMarta = auth.as(await auth.newSession(marta));
    expect(codeOf(await asMarta('PUT', `/tables/${name}`))).toBe('201');
    expect(codeOf(await asMarta('PUT', `/tables/${twin}`))).toBe('409 table_exists');

    // Inserts a second table that differs only in case, as release 1.0.0 allowed.
    const stored = (await auth.connection.collection<{ _id: string }>('tables').findOne({ _id: name })) ?? { _id: '' };
    await auth.connection.collection<{ _id: string }>('tables').insertOne({ ...stored, _id: twin });
    expect(codeOf(await asMarta('PUT', `/tables/${twin}`))).toBe('200');
    expect(codeOf(await asMarta('PUT', `/tables/${name}`))).toBe('200');
  });

  test('are added once if two simultaneous requests differ only in case', async () => {
    const asMarta = auth.as(await auth.newSession(marta));
    for (let round = 0; round < 5; round++) {
      const name = newTable();
      const responses = await Promise.all([name, name.toLowerCase()].map((each) => asMarta('PUT', `/tables/${each}`)));
      expect(responses.map(codeOf).toSorted()).toEqual(['201', '409 table_exists']);
    }
  });

  test('are found in upper or lower case', async () => {
    const name = newTable();
    const twin = name.toLowerCase();
    const asMarta = auth.as(await auth.newSession(marta));
    await asMarta('PUT', `/tables/${name}`);

    expect((await asMarta('POST', `/tables/${twin}/open`)).body.table).toBe(name);
    expect(codeOf(await asMarta('POST', `/tables/${twin}/join`, { body: { to: name } }))).toBe(
      '422 unprocessable_content',
    );
    expect(codeOf(await asMarta('POST', `/tables/${twin}/close`))).toBe('204');
    expect(await seatingOf(name)).toBeNull();

    const stored = (await auth.connection.collection<{ _id: string }>('tables').findOne({ _id: name })) ?? { _id: '' };
    await auth.connection.collection<{ _id: string }>('tables').insertOne({ ...stored, _id: twin });
    expect((await asMarta('POST', `/tables/${twin}/open`)).body.table).toBe(twin);
    expect(codeOf(await asMarta('DELETE', `/tables/${twin}`))).toBe('204');
    // A repeated call must not remove the other table.
    expect(codeOf(await asMarta('DELETE', `/tables/${twin}`))).toBe('404 not_found');
    expect(await seatingOf(name)).toBeNull();
  });

  test('get a new code with each PUT', async () => {
    const name = newTable();
    const asMarta = auth.as(await auth.newSession(marta));
    const added = await asMarta('PUT', `/tables/${name}`);
    expect([added.status, added.headers.get('location')]).toEqual([201, `/tables/${name}`]);
    expect(added.body).toEqual({
      table: name,
      table_token: expect.any(String),
      url: `https://menu.example.com/?t=${added.body.table_token}`,
      status: 'free',
      seating: null,
      seated_at: null,
      version: 1,
      rotated_at: new Date(clock()).toISOString(),
    });
    clock.advance({ minutes: 1 });
    const again = await asMarta('PUT', `/tables/${name}`);
    expect([again.status, again.body.rotated_at]).toEqual([200, new Date(clock()).toISOString()]);
    expect(codeOf(await scan(added.body.table_token))).toBe('401 table_token_invalid');
    expect((await scan(again.body.table_token)).status).toBe(200);
  });

  test('never accept their old code after they are deleted and added again', async () => {
    const { table, table_token: old } = await putTable();
    const asMarta = auth.as(await auth.newSession(marta));
    expect((await asMarta('DELETE', `/tables/${table}`)).status).toBe(204);
    expect(codeOf(await asMarta('DELETE', `/tables/${table}`))).toBe('404 not_found');
    expect(codeOf(await scan(old))).toBe('401 table_token_invalid');
    await putTable(table);
    expect(codeOf(await scan(old))).toBe('401 table_token_invalid');
  });

  test('are sorted by the numbers in their names', async () => {
    for (const name of ['n-10', 'n-9', 'n-1']) await putTable(name);
    const { body } = await auth.as(await auth.newSession(walter))('GET', '/tables');
    const names = body.map(({ table }: { table: string }) => table).filter((name: string) => name.startsWith('n-'));
    expect(names).toEqual(['n-1', 'n-9', 'n-10']);
  });
});

describe('guests at a table', () => {
  test("aren't listed as users", async () => {
    const guest = (await scan((await putTable()).table_token)).body;
    const manager = await managerWithPin(auth);
    const id = Number(claimsOf(guest.access_token)['sub']);
    const response = await changeUser(auth, manager, { id, change: { password: 'a-long-new-secret' } });
    expect(codeOf(response)).toBe('404 not_found');
    expect(codeOf(await auth.as(manager)('GET', `/users/${id}`))).toBe('404 not_found');
    const { body: listed } = await auth.as(manager)('GET', '/users?limit=200');
    expect(listed.filter(({ email }: { email: string | null }) => email === null)).toEqual([]);
  });

  test('are stored separately from users, until 30 days after the session', async () => {
    const guest = (await scan((await putTable()).table_token, 'Ana')).body;
    const id = Number(claimsOf(guest.access_token)['sub']);
    const ana = await auth.customer();
    const other = Number(claimsOf((await scan((await putTable()).table_token)).body.access_token)['sub']);
    // Guests and users get their ids from the same counter.
    expect([id < ana.id, ana.id < other]).toEqual([true, true]);
    expect(await auth.connection.collection('usuarios').findOne({ usuarioID: id })).toBeNull();
    const guests = auth.connection.collection<{ _id: number; session_ends_at: Date }>('guests');
    const stored = await guests.findOne({ _id: id });
    expect(stored?.session_ends_at).toEqual(new Date(clock() + 12 * 3600_000));
    const index = (await guests.indexes()).find(({ key }) => 'session_ends_at' in key);
    expect(index?.expireAfterSeconds).toBe(30 * 24 * 3600);
  });

  test("can't use their tokens once they are deleted", async () => {
    const guest = (await scan((await putTable()).table_token)).body;
    const id = Number(claimsOf(guest.access_token)['sub']);
    await auth.connection.collection<{ _id: number }>('guests').deleteOne({ _id: id });
    expect(codeOf(await refresh(guest.refresh_token))).toBe('401 invalid_refresh_token');
    expect(codeOf(await auth.as({ token: guest.access_token })('GET', '/auth/me'))).toBe('401 invalid_token');
  });

  test('invalidate only their own refresh token when they sign out everywhere', async () => {
    const { table_token: token } = await putTable();
    const [guest, neighbour] = [(await scan(token)).body, (await scan(token)).body];
    expect((await auth.as({ token: guest.access_token })('DELETE', '/auth/sessions')).status).toBe(204);
    expect(codeOf(await refresh(guest.refresh_token))).toBe('401 invalid_refresh_token');
    expect((await refresh(neighbour.refresh_token)).status).toBe(200);
  });

  test('lose their refresh tokens when the seating is closed', async () => {
    const { table, table_token: token } = await putTable();
    const guest = (await scan(token)).body;
    const seating = await seatingOf(table);
    expect((await auth.as(await auth.newSession(walter))('POST', `/tables/${table}/close`)).status).toBe(204);
    expect(await seatingOf(table)).toBeNull();
    expect(codeOf(await refresh(guest.refresh_token))).toBe('401 invalid_refresh_token');
    expect(codeOf(await auth.as({ token: guest.access_token })('GET', '/auth/me'))).toBe('401 invalid_token');
    await scan(token);
    expect(await seatingOf(table)).toBeGreaterThan(seating ?? 0);
    expect(codeOf(await refresh(guest.refresh_token))).toBe('401 invalid_refresh_token');
    const unknown = await auth.as(await auth.newSession(walter))('POST', '/tables/nowhere/close');
    expect(codeOf(unknown)).toBe('404 not_found');
  });

  test('lose their seating in the orders service before the table is closed', async () => {
    const [closed, removed, empty] = [await putTable(), await putTable(), await putTable()];
    for (const { table_token: token } of [closed, removed]) await scan(token);
    const [seating, seatingOfRemoved] = [await seatingOf(closed.table), await seatingOf(removed.table)];
    orders.calls.length = 0;
    const [asWalter, asMarta] = [await auth.newSession(walter), await auth.newSession(marta)];

    await auth.as(asWalter)('POST', `/tables/${closed.table}/close`);
    await auth.as(asWalter)('POST', `/tables/${closed.table}/close`);
    await auth.as(asMarta)('DELETE', `/tables/${removed.table}`);
    await auth.as(asMarta)('DELETE', `/tables/${empty.table}`);

    const callOf = (id: number | null, table: string, { token }: { token: string }) => ({
      call: 'POST /internal/ended-seatings',
      sender: 'auth-stepup',
      authorization: `Bearer ${token}`,
      body: { seating: id, table },
    });
    expect(orders.calls).toEqual([
      callOf(seating, closed.table, asWalter),
      callOf(seatingOfRemoved, removed.table, asMarta),
    ]);
  });

  test.each(['refuses', 'is down', 'is somebody else'] as const)(
    'keep their table if the orders service %s',
    async (state) => {
      const { table, table_token: token } = await putTable();
      const guest = (await scan(token)).body;
      const seating = await seatingOf(table);
      const asWalter = auth.as(await auth.newSession(walter));
      const asMarta = auth.as(await auth.newSession(marta));
      orders.state = state;
      try {
        expect(codeOf(await asWalter('POST', `/tables/${table}/close`))).toBe('503 service_unavailable');
        expect(codeOf(await asMarta('DELETE', `/tables/${table}`))).toBe('503 service_unavailable');
      } finally {
        orders.state = 'ends seatings';
      }
      expect(await seatingOf(table)).toBe(seating);
      expect((await refresh(guest.refresh_token)).status).toBe(200);
      expect((await asWalter('POST', `/tables/${table}/close`)).status).toBe(204);
      expect(await seatingOf(table)).toBeNull();
    },
  );

  test('lose their refresh tokens when the table gets a new code', async () => {
    const { table, table_token: token } = await putTable();
    const guest = (await scan(token)).body;
    const seating = await seatingOf(table);
    const fresh = await putTable(table);
    expect(fresh.seating).toBe(seating);
    expect(codeOf(await refresh(guest.refresh_token))).toBe('401 invalid_refresh_token');
    expect(claimsOf((await scan(fresh.table_token)).body.access_token)['seating']).toBe(seating);
  });

  test('are signed out after twelve hours, even if they have used the session', async () => {
    const guest = (await scan((await putTable()).table_token)).body;
    clock.advance({ minutes: 11 * 60 });
    const next = (await refresh(guest.refresh_token)).body;
    clock.advance({ minutes: 60 });
    expect(codeOf(await refresh(next.refresh_token))).toBe('401 invalid_refresh_token');
  });
});

describe('opening a table', () => {
  const open = async (name: string) => auth.as(await auth.newSession(walter))('POST', `/tables/${name}/open`);

  test('starts a seating that guests join', async () => {
    const table = await putTable();
    const opened = await open(table.table);
    expect([opened.status, opened.body]).toEqual([
      200,
      {
        ...table,
        status: 'seated',
        seating: expect.any(Number),
        seated_at: new Date(clock()).toISOString(),
        version: 2,
      },
    ]);
    expect(claimsOf((await scan(table.table_token)).body.access_token)['seating']).toBe(opened.body.seating);
    expect((await open(table.table)).body).toEqual(opened.body);
  });

  test('starts a single seating if ten waiters do it at the same time', async () => {
    const { table } = await putTable();
    const session = await auth.newSession(walter);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => patient(auth.as(session))('POST', `/tables/${table}/open`)),
    );
    expect(new Set(responses.map(({ body }) => body.seating)).size).toBe(1);
  });

  test('returns a 404 for an unknown table', async () => {
    const { table, table_token: token } = await putTable();
    expect(codeOf(await open('nowhere'))).toBe('404 not_found');
    const bad = await open('no_table');
    expect([codeOf(bad), bad.body.errors]).toMatchObject([
      '400 validation_failed',
      [{ pointer: '/table', in: 'path' }],
    ]);
    const asGuest = auth.as({ token: (await scan(token)).body.access_token });
    expect(codeOf(await asGuest('POST', `/tables/${table}/open`))).toBe('403 forbidden');
  });
});
