import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { caller, codeOf, created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-option-groups');
});
afterAll(() => harness.close());

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const post = (body: object) => harness.manager('POST', '/option-groups', { body });
const put = (id: number, body: object) => harness.manager('PUT', `/option-groups/${id}`, { body });
const remove = (id: number) => harness.manager('DELETE', `/option-groups/${id}`);
const get = async (id: number): Promise<Json> => (await harness.waiter('GET', `/option-groups/${id}`)).body;
const one = [{ name: 'Ao ponto', price: '0' }];
const newGroup = async (fields: object = {}): Promise<Json> =>
  created(
    await patient(harness.manager)('POST', '/option-groups', {
      body: { name: 'Ponto', min: 0, max: 1, options: one, ...fields },
    }),
  );
/** Returns a group whose option opens these groups. */
const groupOpening = (...ids: number[]): Promise<Json> =>
  newGroup({ options: [{ name: 'Grande', price: '0', option_group_ids: ids }] });
const changesOf = async (id: number): Promise<Json[]> =>
  (await harness.manager('GET', `/menu-changes?option_group_id=${id}`)).body;

describe('an option group', () => {
  test('is added with ids and defaults, found, listed, and announced', async () => {
    const body = {
      name: ' Sabores ',
      name_translations: { en: 'Flavours' },
      min: 1,
      max: 2,
      price_method: 'average',
      options: [
        { name: 'Calabresa', price: '58', kitchen_name: 'CALAB', allergens: ['milk'] },
        { name: 'Portuguesa', price: '64.5', max_each: 2 },
      ],
    };
    const response = await post(body);
    const group = created(response);

    const [first, second] = group.options;
    expect(group).toEqual({
      id: group.id,
      name: 'Sabores',
      name_translations: { en: 'Flavours' },
      min: 1,
      max: 2,
      price_method: 'average',
      free: 0,
      version: 1,
      options: [
        {
          id: first.id,
          name: 'Calabresa',
          name_translations: {},
          kitchen_name: 'CALAB',
          price: '58.00',
          max_each: 1,
          allergens: ['milk'],
          available: true,
          default: false,
          option_group_ids: [],
          item_id: null,
        },
        {
          ...first,
          id: first.id + 1,
          name: 'Portuguesa',
          kitchen_name: null,
          price: '64.50',
          max_each: 2,
          allergens: null,
        },
      ],
    });
    expect(second.id).toBe(first.id + 1);
    expect(response.headers.get('location')).toBe(`/option-groups/${group.id}`);
    expect(await get(group.id)).toEqual(group);
    expect((await harness.waiter('GET', '/option-groups')).body).toContainEqual(group);
    expect(await newGroup()).toMatchObject({ price_method: 'sum', free: 0, name_translations: {} });
    const [event] = await harness.events.waitFor('option_group.changed', group.id);
    expect(event).toMatchObject({ audience: 'everyone', data: { group: { ...group, deleted: false } } });
  });

  test('keeps what a change leaves out, and replaces its options in the order sent', async () => {
    const options = [
      { name: 'A', price: '1', kitchen_name: 'KA', allergens: ['nuts'] },
      { name: 'B', price: '2' },
      { name: 'C', price: '3' },
    ];
    const before = await newGroup({ max: 3, options });
    const [a, , c] = before.options;

    const { body: after } = await put(before.id, {
      options: [{ id: c.id, price: '4.5' }, { name: 'D', price: '-1' }, { id: a.id }],
    });

    expect(after).toEqual({
      ...before,
      version: 2,
      options: [{ ...c, price: '4.50' }, { ...c, id: c.id + 1, name: 'D', price: '-1.00' }, a],
    });
    expect((await put(before.id, { max: 2 })).body).toEqual({ ...after, max: 2, version: 3 });
  });

  test('is listed by its id, even if it is changed later', async () => {
    const { id } = await newGroup();
    await newGroup();
    await put(id, { max: 2 });

    const ids: number[] = (await harness.waiter('GET', '/option-groups')).body.map((group: Json) => group.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('never gets an id again, even if the group with it is gone', async () => {
    const first = await newGroup();
    await remove(first.id);
    const second = await newGroup();

    expect([second.id > first.id, second.options[0].id > first.options[0].id]).toEqual([true, true]);
  });

  test('is changed only from the version that the manager knows', async () => {
    const { id } = await newGroup();
    await put(id, { max: 2, version: 1 });

    expect(codeOf(await put(id, { max: 3, version: 1 }))).toBe('412 version_mismatch');
    expect(codeOf(await put(id, { min: 9, max: 2, version: 1 }))).toBe('412 version_mismatch');
    expect(codeOf(await put(999_999, { min: 9, version: 1 }))).toBe('404 not_found');
  });

  test('is removed once no dish on the menu and no other group has it', async () => {
    const group = await newGroup();
    const parent = await groupOpening(group.id);
    const dish = await harness.createDish({ option_group_ids: [group.id] });

    const { status, body } = await remove(group.id);
    expect([status, body.code, body.item_ids, body.option_group_ids]).toEqual([
      409,
      'option_group_in_use',
      [dish],
      [parent.id],
    ]);
    await put(parent.id, { options: one });
    await harness.manager('DELETE', `/menu/${dish}`);
    expect(codeOf(await remove(group.id))).toBe('204');
    expect(codeOf(await remove(group.id))).toBe('404 not_found');
    const [, last] = await harness.events.waitFor('option_group.changed', group.id, 2);
    expect(last).toMatchObject({ data: { group: { id: group.id, deleted: true } } });
  });

  test('has a history with its whole options, by whoever changed it', async () => {
    const group = await newGroup();
    const [option] = group.options;
    await put(group.id, { max: 2 });
    await harness.waiter('PUT', `/option-groups/${group.id}/options/${option.id}/availability`, {
      body: { available: false },
    });
    await remove(group.id);

    const of = { item_id: null, option_group_id: group.id, item_name: 'Ponto', at: expect.any(String) };
    expect(await changesOf(group.id)).toEqual([
      {
        ...of,
        type: 'dish_removed',
        actor: expect.objectContaining({ name: 'Marta' }),
        before: {},
        after: { removed: true },
      },
      {
        ...of,
        type: 'dish_changed',
        actor: expect.objectContaining({ name: 'Wanda' }),
        before: { options: [option] },
        after: { options: [{ ...option, available: false }] },
      },
      { ...of, type: 'dish_changed', actor: expect.anything(), before: { max: 1 }, after: { max: 2 } },
      {
        ...of,
        type: 'dish_added',
        actor: expect.anything(),
        before: {},
        after: expect.objectContaining({ name: 'Ponto', min: 0, options: [option] }),
      },
    ]);
  });
});

describe('the availability of an option', () => {
  const set = (group: number, option: number, available: boolean) =>
    harness.waiter('PUT', `/option-groups/${group}/options/${option}/availability`, { body: { available } });

  test('is set by waiters, and creates no new version if it is the same', async () => {
    const { id, options } = await newGroup();
    const { body } = await set(id, options[0].id, false);

    expect(body).toMatchObject({ version: 2, options: [{ available: false }] });
    expect((await set(id, options[0].id, false)).body).toEqual(body);
    expect(await changesOf(id)).toHaveLength(2);
  });

  test('is not found for an option of another group', async () => {
    const [{ id }, other] = [await newGroup(), await newGroup()];

    expect(codeOf(await set(id, other.options[0].id, false))).toBe('404 not_found');
  });

  test('survives a manager who changes the group at the same time', async () => {
    const { id, options } = await newGroup();
    await Promise.all([set(id, options[0].id, false), put(id, { name: 'Ponto da carne' }), put(id, { max: 2 })]);

    expect(await get(id)).toMatchObject({
      name: 'Ponto da carne',
      max: 2,
      version: 4,
      options: [{ available: false }],
    });
  });
});

describe('a dish', () => {
  test('has its option groups in the order sent, a kitchen name, and says whether its allergens are stated', async () => {
    const [first, second] = [await newGroup(), await newGroup()];
    const ids = [second.id, first.id];
    const dish = await harness.createDish({ option_group_ids: ids, kitchen_name: 'FEIJ', allergens_stated: true });

    const read = async () => (await harness.waiter('GET', `/menu/${dish}`)).body;
    expect(await read()).toMatchObject({ option_group_ids: ids, kitchen_name: 'FEIJ', allergens_stated: true });
    await harness.manager('PUT', `/menu/${dish}`, { body: { option_group_ids: [], kitchen_name: null } });
    expect(await read()).toMatchObject({ option_group_ids: [], kitchen_name: null, allergens_stated: true });
    const [change] = (await harness.manager('GET', `/menu-changes?item_id=${dish}`)).body;
    expect(change).toMatchObject({
      option_group_id: null,
      before: { option_group_ids: ids, kitchen_name: 'FEIJ' },
      after: { option_group_ids: [], kitchen_name: null },
    });
  });

  test('states its allergens where some are named, and no longer once they are taken away', async () => {
    const dish = await harness.createDish({ allergens: ['milk'], allergens_stated: false });
    const stated = async () => (await harness.waiter('GET', `/menu/${dish}`)).body.allergens_stated;

    expect(await stated()).toBe(true);
    await harness.manager('PUT', `/menu/${dish}`, { body: { allergens: [] } });
    expect(await stated()).toBe(false);
  });

  test.each([['POST'], ['PUT']] as const)('with an unknown option group is rejected by %s', async (method) => {
    const { id } = await newGroup();
    const path = method === 'PUT' ? `/menu/${await harness.createDish()}` : '/menu';
    const body = { ...(method === 'POST' && { name: 'Unknown group', price: '1' }), option_group_ids: [id, 888_888] };
    const response = await harness.manager(method, path, { body });

    expect([codeOf(response), response.body.errors[0].pointer]).toEqual([
      '422 unprocessable_content',
      '/option_group_ids/1',
    ]);
  });
});

describe('writes at the same time', () => {
  test.each<[user: string, takes: (group: number) => Promise<() => ReturnType<typeof put>>]>([
    [
      'dish',
      async (group) => {
        const dish = await harness.createDish();
        return () => harness.manager('PUT', `/menu/${dish}`, { body: { option_group_ids: [group] } });
      },
    ],
    [
      'group',
      async (group) => {
        const { id, options } = await newGroup();
        return () => put(id, { options: [{ id: options[0].id, option_group_ids: [group] }] });
      },
    ],
  ])('never leave a %s with a group that is gone', async (_user, takes) => {
    const groups = await Promise.all(Array.from({ length: 10 }, () => newGroup()));
    const takers = await Promise.all(groups.map(({ id }) => takes(id)));
    const other = await harness.startInstance();
    const manager = caller(other.url, {
      token: harness.issuer.token({ sub: 900_001, role: 'manager', name: 'Marta' }),
    });

    const outcomes = await Promise.all(
      groups.map(async ({ id }, at) => {
        const taking = takers[at]?.();
        const removing = manager('DELETE', `/option-groups/${id}`);
        return [taking && codeOf(await taking), codeOf(await removing)].join(', ');
      }),
    );

    const allowed = new Set(['200, 409 option_group_in_use', '422 unprocessable_content, 204']);
    expect(outcomes.filter((each) => !allowed.has(each) && !each.includes('503'))).toEqual([]);
  });
});
