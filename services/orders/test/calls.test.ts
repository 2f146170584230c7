import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callStatuses, callTransitions, type CallStatus } from '@comanda/contracts/calls';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let second: string;
/** Makes calls to orders as auth-stepup does, with the token of the waiter who closes the table. */
let service: Call;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-calls');
  second = (await harness.startInstance()).url;
  service = caller(harness.url, { token: harness.issuer.token({ sub: 900_002, role: 'waiter', name: 'Wanda' }) });
});
afterAll(() => harness.close());

let lastSeating = 1000;
const newSeating = (): number => ++lastSeating;
const claimsOf = (seating: number) =>
  ({ sub: 5000 + seating, role: 'customer', name: 'Ana', table: '12', seating }) as const;
const guestOf = (seating: number): Call => harness.as(claimsOf(seating));
const rui = (): Call => harness.as({ sub: 900_003, role: 'waiter', name: 'Rui' });
const place = (call: Call, body: object = { kind: 'waiter' }) => call('POST', '/calls', { body });
const set = (call: Call, id: number, status: CallStatus) => call('PUT', `/calls/${id}`, { body: { status } });
const end = (seating: number) => service('POST', '/internal/ended-seatings', { body: { seating, table: '12' } });

describe('a call for a waiter', () => {
  test('can be accepted and completed by a waiter', async () => {
    const seating = newSeating();

    const placed = created(await place(guestOf(seating), { kind: 'bill', method: 'card', note: 'By the window' }));
    const taken = await set(harness.waiter, placed.id, 'taken');
    const done = await set(harness.waiter, placed.id, 'done');

    expect(placed).toMatchObject({
      kind: 'bill',
      method: 'card',
      note: 'By the window',
      table: '12',
      seating,
      status: 'open',
      version: 1,
      placed_by: { id: 5000 + seating, role: 'customer' },
      taken_by: null,
    });
    expect(taken.body).toMatchObject({ status: 'taken', version: 2, taken_by: { id: 900_002, role: 'waiter' } });
    expect(done.body).toMatchObject({ status: 'done', version: 3, done_at: expect.any(String) });
    const events = await harness.events.waitFor('call.changed', placed.id, 3);
    expect(events.map(({ audience }) => audience)).toEqual(Array(3).fill(`staff seating:${seating}`));
    const byWanda = { id: 900_002, role: 'waiter' };
    expect(events.map(({ data }) => data)).toEqual([
      { call: placed, actor: placed.placed_by },
      { call: taken.body, actor: byWanda },
      { call: done.body, actor: byWanda },
    ]);
    const stored = harness.db.collection<{ _id: number; outbox: unknown[] }>('calls');
    await until(() => stored.findOne({ _id: placed.id, outbox: [] }), { what: 'an empty outbox' });
  });

  test('is returned again, instead of a new one, until it is done', async () => {
    const seating = newSeating();
    const first = created(await place(guestOf(seating)));

    const again = await place(guestOf(seating));
    await set(harness.waiter, first.id, 'taken');
    const whileTaken = await place(guestOf(seating));
    const other = created(await place(guestOf(seating), { kind: 'bill' }));
    await set(harness.waiter, first.id, 'done');
    const next = created(await place(guestOf(seating)));

    expect([again.status, again.body]).toEqual([200, first]);
    expect([whileTaken.status, whileTaken.body.id]).toEqual([200, first.id]);
    expect(new Set([first.id, other.id, next.id]).size).toBe(3);
  });

  test('can be made by each guest with the amount that they want to pay', async () => {
    const seating = newSeating();
    const neighbour = harness.as({ ...claimsOf(seating), sub: 7000 + seating });
    const wish = { kind: 'bill', method: 'card', amount: '52.1' };

    const own = created(await place(guestOf(seating), wish));
    const again = await place(guestOf(seating), { ...wish, amount: '60' });
    const other = created(await place(neighbour, { ...wish, method: 'cash' }));
    const whole = created(await place(neighbour, { kind: 'bill' }));
    const wholeAgain = await place(guestOf(seating), { kind: 'bill' });

    expect(own).toMatchObject({ amount: '52.10', method: 'card' });
    expect([again.status, again.body.id]).toEqual([200, own.id]);
    expect(whole.amount).toBeNull();
    expect([wholeAgain.status, wholeAgain.body.id]).toEqual([200, whole.id]);
    expect(new Set([own.id, other.id, whole.id]).size).toBe(3);
    const listed = (await guestOf(seating)('GET', '/calls')).body as { amount: string | null }[];
    expect(listed.map(({ amount }) => amount)).toEqual(['52.10', '52.10', null]);
  });

  test('is stored only once if twenty guests at a table call at the same time', async () => {
    const seating = newSeating();
    const token = harness.issuer.token(claimsOf(seating));
    const urls = [harness.url, second];

    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => place(patient(caller(urls[index % 2] ?? second, { token })))),
    );

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
  });

  test('is rejected with a 429 after 6 new calls in a minute from one seating', async () => {
    const [seating, other] = [newSeating(), newSeating()];
    for (let made = 0; made < 6; made++) {
      const { id } = created(await place(guestOf(seating)));
      await place(guestOf(seating));
      await set(guestOf(seating), id, 'cancelled');
    }

    const refused = await place(guestOf(seating));

    expect(codeOf(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    created(await place(guestOf(other)));
    await harness.db
      .collection('calls')
      .updateMany({ seating }, [{ $set: { created_at: { $subtract: ['$created_at', 60_000] } } }]);
    created(await place(guestOf(seating)));
  });

  test('is assigned to only one of two waiters who accept it at the same time', async () => {
    const { id } = created(await place(guestOf(newSeating())));

    const responses = await Promise.all([set(harness.waiter, id, 'taken'), set(rui(), id, 'taken')]);

    const winner = responses.find(({ status }) => status === 200);
    const loser = responses.find(({ status }) => status === 409);
    expect(loser?.body).toMatchObject({ code: 'illegal_transition', taken_by: winner?.body.taken_by });
    const [by, again] = winner === responses[0] ? [harness.waiter, rui()] : [rui(), harness.waiter];
    expect((await set(by, id, 'taken')).body).toEqual(winner?.body);
    expect((await set(by, id, 'open')).body).toMatchObject({ status: 'open', taken_by: null, taken_at: null });
    expect((await set(again, id, 'taken')).status).toBe(200);
  });

  test('is rejected if it is for another table', async () => {
    const seating = newSeating();
    const customer = harness.as({ sub: 77, role: 'customer' });

    expect(codeOf(await place(customer))).toBe('403 forbidden');
    expect(codeOf(await place(guestOf(seating), { kind: 'waiter', seating }))).toBe('403 forbidden');
    expect(codeOf(await place(guestOf(seating), { kind: 'waiter', table: '13' }))).toBe('403 table_mismatch');
    expect(codeOf(await place(harness.waiter))).toBe('422 unprocessable_content');
    expect(codeOf(await place(guestOf(seating), { kind: 'waiter', method: 'card' }))).toBe('400 validation_failed');
    expect(codeOf(await place(guestOf(seating), { kind: 'waiter', amount: '5.00' }))).toBe('400 validation_failed');
    expect(codeOf(await place(guestOf(seating), { kind: 'other', note: 'n'.repeat(101) }))).toBe(
      '400 validation_failed',
    );
    expect(await harness.db.collection('calls').countDocuments({ seating })).toBe(0);
    const byStaff = created(await place(harness.waiter, { kind: 'bill', seating, table: '12' }));
    expect(byStaff).toMatchObject({ seating, table: '12', placed_by: { role: 'waiter' } });
  });
});

describe('the status of a call', () => {
  const people = {
    staff: () => harness.waiter,
    manager: () => harness.manager,
    guest: guestOf,
    stranger: () => guestOf(newSeating()),
    customer: () => harness.as({ sub: 77, role: 'customer' }),
  } as const;
  const reach = async (seating: number, status: CallStatus): Promise<number> => {
    const { id } = created(await place(guestOf(seating)));
    if (status === 'taken') await set(rui(), id, 'taken');
    if (status === 'done') await set(rui(), id, 'done');
    if (status === 'cancelled') await set(guestOf(seating), id, 'cancelled');
    return id;
  };
  function expected(who: keyof typeof people, from: CallStatus, to: CallStatus): string {
    if (who === 'stranger' || who === 'customer') return '404 not_found';
    const side = who === 'guest' ? 'guest' : 'staff';
    if ((side === 'guest') !== (to === 'cancelled')) return '403 forbidden';
    // Rui has taken the call, and none of these callers is Rui.
    if (from === to) return from === 'taken' ? '409 illegal_transition' : `200 ${to}`;
    return callTransitions[from].some((each) => each.to === to && each.who === side)
      ? `200 ${to}`
      : '409 illegal_transition';
  }

  test.each(
    callStatuses.flatMap((from) => (Object.keys(people) as (keyof typeof people)[]).map((who) => ({ from, who }))),
  )('can be changed from $from by $who as the transition table says', async ({ from, who }) => {
    for (const to of callStatuses) {
      const seating = newSeating();
      const id = await reach(seating, from);

      const response = await set(people[who](seating), id, to);

      const outcome = response.status === 200 ? `200 ${response.body.status}` : codeOf(response);
      expect([to, outcome]).toEqual([to, expected(who, from, to)]);
      const stored = await harness.db.collection<{ _id: number; status: string }>('calls').findOne({ _id: id });
      expect(stored?.status).toBe(response.status === 200 ? to : from);
    }
  });
});

describe('the list of calls', () => {
  test('shows staff all waiting calls, oldest first', async () => {
    const [seating, other] = [newSeating(), newSeating()];
    const first = created(await place(guestOf(seating)));
    const taken = created(await place(guestOf(other)));
    const done = created(await place(guestOf(seating), { kind: 'bill' }));
    await set(harness.waiter, taken.id, 'taken');
    await set(harness.waiter, done.id, 'done');
    const list = async (call: Call, query = '') =>
      ((await call('GET', `/calls${query}`)).body as { id: number; seating: number }[])
        .filter((each) => [seating, other].includes(each.seating))
        .map(({ id }) => id);

    expect(await list(harness.waiter)).toEqual([first.id, taken.id]);
    expect(await list(harness.waiter, '?status=open')).toEqual([first.id]);
    expect(await list(harness.waiter, '?status=taken')).toEqual([taken.id]);
    expect(await list(guestOf(seating))).toEqual([first.id]);
    expect(await list(harness.as({ sub: 77, role: 'customer' }))).toEqual([]);
    expect(codeOf(await harness.waiter('GET', '/calls?status=done'))).toBe('400 validation_failed');
  });
});

describe('the end of a seating', () => {
  test('also ends its calls', async () => {
    const seating = newSeating();
    const open = created(await place(guestOf(seating)));
    const taken = created(await place(guestOf(seating), { kind: 'bill' }));
    await set(harness.waiter, taken.id, 'taken');

    expect((await end(seating)).status).toBe(200);
    expect((await end(seating)).status).toBe(200);

    for (const { id, version } of [
      { id: open.id, version: 2 },
      { id: taken.id, version: 3 },
    ]) {
      const events = await harness.events.waitFor('call.changed', id, version);
      expect(events.at(-1)?.data).toMatchObject({ call: { status: 'done', version, done_at: expect.any(String) } });
    }
    expect(codeOf(await place(guestOf(seating)))).toBe('409 seating_closed');
  });

  test('leaves no call open, even while two instances accept calls', async () => {
    for (let round = 0; round < 5; round++) {
      const seating = newSeating();
      const token = harness.issuer.token(claimsOf(seating));
      const placing = ['waiter', 'bill', 'other'].map((kind, index) =>
        place(caller([harness.url, second][index % 2] ?? second, { token }), { kind }),
      );
      await Promise.race(placing);

      // Retries as staff would: on a busy machine, other calls may keep the seating locked for too long.
      await until(async () => (await end(seating)).status === 200, { what: 'the end of the seating' });
      const active = await harness.db
        .collection('calls')
        .countDocuments({ seating, status: { $in: ['open', 'taken'] } });
      await Promise.all(placing);

      expect(active).toBe(0);
      expect(await harness.db.collection('calls').countDocuments({ seating, status: 'open' })).toBe(0);
    }
  });
});
