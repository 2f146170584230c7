import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventData } from '@comanda/contracts/event-data';
import { codeOf, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { until } from '@comanda/testing/until';
import jwt from 'jsonwebtoken';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { startOrdersStub, type OrdersStub } from './support/orders-stub.ts';

let auth: AuthStepupHarness;
let orders: OrdersStub;
let events: RecordedEvents;
let asMarta: Call;
let asWalter: Call;
beforeAll(async () => {
  orders = await startOrdersStub();
  auth = await startAuthStepupHarness({ settings: { ORDERS_URL: orders.url, TABLE_CLEANING: 'on' } });
  events = await recordEvents(auth.servers.rabbitmqUrl);
  asMarta = auth.as(await auth.newSession(await auth.manager()));
  asWalter = auth.as(await auth.newSession(await auth.waiter()));
});
afterAll(async () => {
  await auth.close();
  await orders.close();
  await events.close();
});

type Table = { table: string; table_token: string; status: string; seating: number; version: number };
async function putTable(): Promise<Table> {
  const { body } = await asMarta('PUT', `/tables/T-${randomUUID().slice(0, 8)}`);
  return body as Table;
}
const tableOf = async ({ table }: Table): Promise<Table> => {
  const { body } = await asWalter('GET', '/tables');
  return body.find((each: Table) => each.table === table);
};
const act = (table: Table, what: string, body?: object) =>
  asWalter('POST', `/tables/${table.table}/${what}`, body ? { body } : {});
async function sitDown({ table_token }: Table): Promise<{ access_token: string; refresh_token: string }> {
  return (await auth.call('POST', '/auth/guest', { body: { table_token } })).body;
}
const refresh = ({ refresh_token }: { refresh_token: string }) =>
  auth.call('POST', '/auth/refresh', { body: { refresh_token } });
const seatOf = (token: string) => {
  const { table, seating } = jwt.decode(token) as jwt.JwtPayload;
  return { table, seating };
};
/** Waits for `count` events about a table and returns them in the order of their versions. */
async function reportedTo({ table }: Table, count: number): Promise<EventData<'table.changed'>[]> {
  const reported = await events.waitFor('table.changed', table, count);
  return reported.map(({ data }) => data as EventData<'table.changed'>);
}

describe("a table's status", () => {
  test("is published without the table's code", async () => {
    const table = await putTable();

    const { body: opened } = await act(table, 'open');
    await act(table, 'close');
    await act(table, 'close');
    const toClean = await tableOf(table);
    const { body: cleaned } = await act(table, 'clean');
    await act(table, 'clean');
    await asMarta('PUT', `/tables/${table.table}`);

    expect(opened).toMatchObject({ status: 'seated', seated_at: expect.any(String), version: 2 });
    expect(toClean).toMatchObject({ status: 'to_clean', seating: null, version: 3 });
    expect(cleaned).toMatchObject({ status: 'free', version: 4 });
    const { seating } = opened;
    const reported = await reportedTo(table, 4);
    expect(
      reported.map(({ reason, previous_seating: previous, table: { version, status } }) => [
        reason,
        previous,
        version,
        status,
      ]),
    ).toEqual([
      ['opened', null, 2, 'seated'],
      ['closed', seating, 3, 'to_clean'],
      ['cleaned', null, 4, 'free'],
      ['code_changed', null, 5, 'free'],
    ]);
    const audiences = events.of('table.changed', table.table).map(({ audience }) => audience);
    expect(audiences).toEqual([`staff seating:${seating}`, `staff seating:${seating}`, 'staff', 'staff']);
    expect(JSON.stringify(reported)).not.toMatch(/token|url|nonce/);
    const stored = auth.connection.collection<{ _id: string }>('tables');
    await until(() => stored.findOne({ _id: table.table, outbox: [] }), { what: 'an empty outbox' });
  });

  test('changes from "to clean" to seated when guests scan the table\'s code', async () => {
    const table = await putTable();
    await act(table, 'open');
    await act(table, 'close');

    await sitDown(table);

    expect((await tableOf(table)).status).toBe('seated');
    expect(codeOf(await act(table, 'clean'))).toBe('409 table_seated');
    expect(codeOf(await asWalter('POST', '/tables/nowhere/clean'))).toBe('404 not_found');
  });

  test('starts with version 1 for a table from the previous release', async () => {
    const table = await putTable();
    const newer = { seated_at: '', needs_cleaning: '', admits: '', version: '', outbox: '' } as const;
    const stored = auth.connection.collection<{ _id: string }>('tables');
    await stored.updateOne({ _id: table.table }, { $unset: newer });

    expect(await tableOf(table)).toMatchObject({ status: 'free', version: 1 });
    expect((await act(table, 'open')).body).toMatchObject({ status: 'seated', version: 2 });
    expect(await reportedTo(table, 1)).toMatchObject([{ reason: 'opened' }]);
  });
});

describe('guests who move to another table', () => {
  test('keep their seating and get tokens for the other table', async () => {
    const [from, to] = [await putTable(), await putTable()];
    const guest = await sitDown(from);
    const { seating } = seatOf(guest.access_token);

    const moved = await act(from, 'move', { to: to.table, seating });
    const again = await act(from, 'move', { to: to.table, seating });

    expect([moved.status, moved.body]).toMatchObject([200, { table: to.table, seating, status: 'seated', version: 2 }]);
    expect([again.status, again.body]).toEqual([200, moved.body]);
    expect(await tableOf(from)).toMatchObject({ status: 'to_clean', seating: null, version: 3 });
    expect((await auth.as({ token: guest.access_token })('GET', '/auth/me')).status).toBe(200);
    const next = await refresh(guest);
    expect(seatOf(next.body.access_token)).toEqual({ table: to.table, seating });
    expect(await reportedTo(to, 1)).toMatchObject([{ reason: 'moved', previous_seating: null, table: { seating } }]);
    const [, left] = await reportedTo(from, 2);
    expect(left).toMatchObject({ reason: 'moved', previous_seating: seating, table: { seating: null } });
    expect(events.of('table.changed', from.table)[1]?.audience).toBe(`staff seating:${seating}`);
    // The code of the first table now starts another seating.
    expect(seatOf((await sitDown(from)).access_token).seating).not.toBe(seating);
  });

  test('are signed out when that table is closed', async () => {
    const [from, to, third] = [await putTable(), await putTable(), await putTable()];
    const [guest, other] = [await sitDown(from), await sitDown(from)];
    await act(from, 'move', { to: to.table });
    await act(to, 'move', { to: third.table });
    const kept = await refresh(guest);
    expect(seatOf(kept.body.access_token).table).toBe(third.table);

    await asMarta('PUT', `/tables/${from.table}`);
    expect(codeOf(await refresh(other))).toBe('401 invalid_refresh_token');

    const late = await sitDown(third);
    await act(third, 'close');
    expect(codeOf(await refresh(late))).toBe('401 invalid_refresh_token');
    expect(codeOf(await auth.as({ token: late.access_token })('GET', '/auth/me'))).toBe('401 invalid_token');
  });

  test("can't move if the other table is seated or unknown", async () => {
    const [free, seated, busy] = [await putTable(), await putTable(), await putTable()];
    await act(seated, 'open');
    const { body } = await act(busy, 'open');

    expect(codeOf(await act(free, 'move', { to: seated.table }))).toBe('409 table_not_seated');
    expect(codeOf(await act(seated, 'move', { to: busy.table }))).toBe('409 table_seated');
    expect(codeOf(await act(seated, 'move', { to: free.table, seating: 999_999 }))).toBe('409 table_not_seated');
    expect(codeOf(await act(seated, 'move', { to: 'nowhere' }))).toBe('404 not_found');
    expect(await tableOf(busy)).toEqual(body);
  });

  test('keep their seating even if ten waiters move two tables to the same one', async () => {
    const [a, b, to] = [await putTable(), await putTable(), await putTable()];
    const seatings = [(await act(a, 'open')).body.seating, (await act(b, 'open')).body.seating];

    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        patient(asWalter)('POST', `/tables/${(index % 2 ? a : b).table}/move`, {
          body: { to: to.table, seating: seatings[index % 2 ? 0 : 1] },
        }),
      ),
    );

    const codes = responses.map((response) => (response.status === 200 ? '200' : codeOf(response)));
    expect(new Set(codes)).toEqual(new Set(['200', '409 table_seated']));
    const now = [await tableOf(a), await tableOf(b), await tableOf(to)].flatMap(({ seating }) => seating ?? []);
    expect(now.toSorted((x, y) => x - y)).toEqual(seatings);
  });
});

describe('a customer with an account who sits at a table', () => {
  const takeSeat = (refreshToken: string, { table_token }: Table) =>
    auth.call('POST', '/auth/seat', { body: { refresh_token: refreshToken, table_token } });

  test('stays in the seating when it moves to another table', async () => {
    const [from, to, third] = [await putTable(), await putTable(), await putTable()];
    const ana = await auth.customer();
    const seated = (await takeSeat(ana.refreshToken, from)).body;
    const { seating } = seatOf(seated.access_token);
    const { body: host } = await act(third, 'open');

    await act(from, 'move', { to: to.table });
    const moved = (await refresh(seated)).body;
    await act(to, 'join', { to: third.table });
    const joined = (await refresh((await refresh(moved)).body)).body;
    await act(to, 'close');
    const left = await refresh(joined);

    expect(seatOf(moved.access_token)).toEqual({ table: to.table, seating });
    expect(seatOf(joined.access_token)).toEqual({ table: to.table, seating: host.seating });
    expect(jwt.decode(joined.access_token)).toMatchObject({ sub: String(ana.id), guest: false });
    expect(left.status).toBe(200);
    expect(jwt.decode(left.body.access_token)).not.toHaveProperty('seating');
  });

  test('stays signed in without a table if the code was replaced after a move', async () => {
    const [from, to] = [await putTable(), await putTable()];
    const seated = (await takeSeat((await auth.customer()).refreshToken, from)).body;
    await act(from, 'move', { to: to.table });

    await asMarta('PUT', `/tables/${from.table}`);

    const { status, body } = await refresh(seated);
    expect(status).toBe(200);
    expect(jwt.decode(body.access_token)).not.toHaveProperty('seating');
  });

  test('opens a free table by scanning its code', async () => {
    const table = await putTable();

    const seated = (await takeSeat((await auth.customer()).refreshToken, table)).body;

    const { seating } = seatOf(seated.access_token);
    expect(await reportedTo(table, 1)).toMatchObject([{ reason: 'opened', table: { status: 'seated', seating } }]);
  });
});

describe('joined tables', () => {
  test('share one seating', async () => {
    const [table, to] = [await putTable(), await putTable()];
    const [guest, host] = [await sitDown(table), await sitDown(to)];
    const [ending, kept] = [seatOf(guest.access_token).seating, seatOf(host.access_token).seating];

    const joined = await act(table, 'join', { to: to.table });
    const again = await act(table, 'join', { to: to.table });

    expect([joined.status, joined.body]).toMatchObject([200, { table: table.table, seating: kept, version: 3 }]);
    expect([again.status, again.body]).toEqual([200, joined.body]);
    expect(orders.calls.at(-1)).toMatchObject({ body: { seating: ending, table: table.table, into: kept } });
    const [, reported] = await reportedTo(table, 2);
    expect(reported).toMatchObject({ reason: 'joined', previous_seating: ending, table: { seating: kept } });
    expect(events.of('table.changed', table.table)[1]?.audience).toBe(`staff seating:${kept} seating:${ending}`);
    expect((await auth.as({ token: guest.access_token })('GET', '/auth/me')).status).toBe(200);
    const next = await refresh(guest);
    expect(seatOf(next.body.access_token)).toEqual({ table: table.table, seating: kept });

    await act(to, 'close');
    expect(await tableOf(table)).toMatchObject({ status: 'to_clean', seating: null });
    expect(codeOf(await refresh(next.body))).toBe('401 invalid_refresh_token');
  });

  test('get a new seating if neither has guests', async () => {
    const [table, to] = [await putTable(), await putTable()];

    const { body } = await act(table, 'join', { to: to.table });

    expect(body).toMatchObject({ status: 'seated', seating: expect.any(Number) });
    expect(await tableOf(to)).toMatchObject({ status: 'seated', seating: body.seating });
    expect(codeOf(await act(table, 'join', { to: table.table }))).toBe('422 unprocessable_content');
    expect(codeOf(await act(table, 'join', { to: 'nowhere' }))).toBe('404 not_found');
  });

  test('share the seating with guests who arrive at the same time', async () => {
    const [table, to, elsewhere] = [await putTable(), await putTable(), await putTable()];
    const [guest, host] = [await sitDown(table), await sitDown(to)];
    orders.meanwhile = () => act(table, 'move', { to: elsewhere.table });

    const joined = await act(table, 'join', { to: to.table });

    const kept = seatOf(host.access_token).seating;
    expect([joined.status, joined.body.seating]).toEqual([200, kept]);
    expect((await tableOf(elsewhere)).seating).toBe(kept);
    expect(seatOf((await refresh(guest)).body.access_token).seating).toBe(kept);
  });

  test('share the seating with a table whose guests leave at the same time', async () => {
    const [table, to] = [await putTable(), await putTable()];
    const [guest, host] = [await sitDown(table), await sitDown(to)];
    orders.meanwhile = () => act(table, 'close');

    const joined = await act(table, 'join', { to: to.table });

    expect([joined.status, joined.body.seating]).toEqual([200, seatOf(host.access_token).seating]);
    expect(codeOf(await refresh(guest))).toBe('401 invalid_refresh_token');
  });

  test("can't be joined while the orders service is down", async () => {
    const [table, to] = [await putTable(), await putTable()];
    const before = [(await act(table, 'open')).body, (await act(to, 'open')).body];
    orders.state = 'is down';
    try {
      expect(codeOf(await act(table, 'join', { to: to.table }))).toBe('503 service_unavailable');
    } finally {
      orders.state = 'ends seatings';
    }
    expect([await tableOf(table), await tableOf(to)]).toEqual(before);
  });
});
