import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allergens } from '@comanda/contracts/menu';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-option-group-rules');
});
afterAll(() => harness.close());

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
const post = (body: object) => harness.manager('POST', '/option-groups', { body });
const put = (id: number, body: object) => harness.manager('PUT', `/option-groups/${id}`, { body });
const get = async (id: number): Promise<Json> => (await harness.waiter('GET', `/option-groups/${id}`)).body;
const one = [{ name: 'Ao ponto', price: '0' }];
const newGroup = async (fields: object = {}): Promise<Json> =>
  created(await post({ name: 'Ponto', min: 0, max: 1, options: one, ...fields }));
/** Returns a group whose option opens these groups. */
const groupOpening = (...ids: number[]): Promise<Json> =>
  newGroup({ options: [{ name: 'Grande', price: '0', option_group_ids: ids }] });

describe('the rules of an option group', () => {
  const pointersOf = ({ body }: { body: Json }): string[] => body.errors.map(({ pointer }: Json) => pointer);
  const priced = (price: string, fields: object = {}) => ({ name: 'X', price, ...fields });

  test.each<[string, object, string[]]>([
    ['min above max', { min: 2, max: 1, options: [priced('0', { max_each: 2 })] }, ['/min']],
    ['min above the sum of all max_each', { min: 2, max: 2 }, ['/min']],
    ['free above max', { max: 1, free: 2 }, ['/free']],
    ['free units of an average', { free: 1, price_method: 'average' }, ['/free']],
    ['a price below 0 in an average', { price_method: 'max', options: [priced('-1')] }, ['/options/0/price']],
    ['a default in an optional group', { options: [priced('0', { default: true })] }, ['/options/0/default']],
    ['a default with a price', { min: 1, options: [priced('1', { default: true })] }, ['/options/0/default']],
    [
      'too many defaults',
      { min: 1, options: [priced('0', { default: true }), priced('0', { default: true })] },
      ['/options'],
    ],
    [
      'too few defaults',
      { min: 2, max: 2, options: [priced('0', { default: true, max_each: 2 }), priced('0')] },
      ['/options'],
    ],
    [
      'an unknown group',
      { options: [priced('0', { option_group_ids: [888_888] })] },
      ['/options/0/option_group_ids/0'],
    ],
    ['a dish that is not on the menu', { options: [priced('0', { item_id: 888_888 })] }, ['/options/0/item_id']],
  ])('forbid %s', async (_what, fields, pointers) => {
    const response = await post({ name: 'Ponto', min: 0, max: 1, options: one, ...fields });

    expect([codeOf(response), pointersOf(response)]).toEqual(['422 unprocessable_content', pointers]);
  });

  test('allow 50 options with the longest texts', async () => {
    const text = 'ã'.repeat(60);
    const longest = {
      name: text,
      name_translations: { en: text, 'pt-BR': text },
      kitchen_name: 'ã'.repeat(24),
      price: '-99999.99',
      max_each: 20,
      allergens,
      available: false,
    };
    const dearest = { ...longest, price: '99999.99' };
    const group = await newGroup({ options: [...Array.from({ length: 49 }, () => longest), dearest] });

    const sent = { options: group.options };
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeGreaterThan(32 * 1024);
    expect((await put(group.id, sent)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['51 options', { options: Array.from({ length: 51 }, () => one[0]) }],
    ['no options', { options: [] }],
    ['a name of 61 characters', { name: 'x'.repeat(61) }],
    ['the same opened group twice', { options: [priced('0', { option_group_ids: [1, 1] })] }],
    ['four opened groups', { options: [priced('0', { option_group_ids: [1, 2, 3, 4] })] }],
    ['a price above 99999.99', { options: [priced('100000')] }],
    ['a max of 21', { max: 21 }],
    ['a max of 0', { max: 0 }],
    ['a min of 21', { min: 21 }],
    ['a min below 0', { min: -1 }],
    ['21 free options', { free: 21 }],
    ['an unknown price method', { price_method: 'median' }],
    ['a translated name of 61 characters', { name_translations: { en: 'x'.repeat(61) } }],
    ["an option's name of 61 characters", { options: [{ name: 'x'.repeat(61), price: '0' }] }],
    [
      "an option's translated name of 61 characters",
      { options: [priced('0', { name_translations: { en: 'x'.repeat(61) } })] },
    ],
    ['a kitchen name of 25 characters', { options: [priced('0', { kitchen_name: 'x'.repeat(25) })] }],
    ['a price below -99999.99', { options: [priced('-100000')] }],
    ['a price with an exponent', { options: [priced('1e3')] }],
    ['a max_each of 0', { options: [priced('0', { max_each: 0 })] }],
    ['a max_each of 21', { options: [priced('0', { max_each: 21 })] }],
    ['an allergen twice', { options: [priced('0', { allergens: ['milk', 'milk'] })] }],
    ['an id of a new option', { options: [priced('0', { id: 1 })] }],
    ['a new option without a price', { options: [{ name: 'X' }] }],
  ])('reject %s as a malformed request', async (_what, fields) => {
    expect(codeOf(await post({ name: 'Ponto', min: 0, max: 1, options: one, ...fields }))).toBe(
      '400 validation_failed',
    );
  });

  test('point to the field that was sent, even if another one is wrong now', async () => {
    const { id, options } = await newGroup({ options: [priced('-2'), priced('3')] });
    const [first] = options;

    expect(pointersOf(await put(id, { price_method: 'average' }))).toEqual(['/price_method']);
    expect(pointersOf(await put(id, { min: 2 }))).toEqual(['/min']);
    expect(pointersOf(await put(id, { options: [{ id: 777_777 }, { price: '1' }, { name: 'Y' }] }))).toEqual([
      '/options/0/id',
      '/options/1/name',
      '/options/2/price',
    ]);
    expect(codeOf(await put(id, { options: [{ id: first.id }, { id: first.id }] }))).toBe('400 validation_failed');
    expect(await get(id)).toMatchObject({ version: 1 });
    const rice = await newGroup({ min: 1, options: [priced('0', { default: true, max_each: 2 })] });
    const sides = (fields: object) => put(rice.id, { options: [{ id: rice.options[0].id, ...fields }] });
    expect(pointersOf(await sides({ price: '1' }))).toEqual(['/options/0/price']);
    expect(pointersOf(await sides({ option_group_ids: [id] })).toSorted()).toEqual(['/options/0/option_group_ids']);
  });

  test('allow chains of three groups, but neither four nor a circle', async () => {
    const third = await newGroup();
    const second = await groupOpening(third.id);
    const first = await groupOpening(second.id);

    const longer = { name: 'X', min: 0, max: 1, options: [priced('0', { option_group_ids: [first.id] })] };
    expect(pointersOf(await post(longer))).toEqual(['/options/0/option_group_ids']);
    const opening = (id: number) => ({ options: [priced('0', { option_group_ids: [id] })] });
    const fourth = await newGroup();
    expect(pointersOf(await put(third.id, opening(fourth.id)))).toEqual(['/options/0/option_group_ids']);
    expect(pointersOf(await put(third.id, opening(third.id)))).toEqual(['/options/0/option_group_ids']);
    expect(pointersOf(await put(third.id, opening(first.id)))).toEqual(['/options/0/option_group_ids']);
    expect(codeOf(await put(second.id, opening(fourth.id)))).toBe('200');
  });

  test('let an option that opens a group be chosen only once, and by guests alone', async () => {
    const { id } = await newGroup();
    const opening = (fields: object) => [priced('0', { option_group_ids: [id], ...fields })];

    const twice = { name: 'X', min: 0, max: 2, options: opening({ max_each: 2 }) };
    expect(pointersOf(await post(twice))).toEqual(['/options/0/max_each']);
    const preselected = { name: 'X', min: 1, max: 1, options: opening({ default: true }) };
    expect(pointersOf(await post(preselected))).toEqual(['/options/0/default']);
  });

  test('give a component the allergens of its dish', async () => {
    const dish = await harness.createDish({ allergens: ['milk'] });
    const component = priced('0', { item_id: dish });

    const wrong = await post({ name: 'X', min: 0, max: 1, options: [{ ...component, allergens: [] }] });
    expect(pointersOf(wrong)).toEqual(['/options/0/allergens']);
    const { id, options } = await newGroup({ options: [priced('0', { allergens: ['nuts'] })] });
    const { body } = await put(id, { options: [{ id: options[0].id, item_id: dish }] });
    expect(body.options[0]).toMatchObject({ item_id: dish, allergens: null });
  });

  test('keep a component whose dish left the menu, but accept no new one', async () => {
    const dish = await harness.createDish();
    const { id, options } = await newGroup({ options: [priced('0', { item_id: dish })] });
    await harness.manager('DELETE', `/menu/${dish}`);

    expect(codeOf(await put(id, { options: [{ id: options[0].id, name: 'Drink' }] }))).toBe('200');
    expect(pointersOf(await put(id, { options: [{ id: options[0].id, item_id: dish }] }))).toEqual([
      '/options/0/item_id',
    ]);
  });

  test('allow 200 groups, even if several managers add the last one at the same time', async () => {
    const stored = harness.db.collection<{ _id: number }>('option_groups');
    const { id } = await newGroup();
    const model = await stored.findOne({ _id: id });
    const left = 199 - (await stored.countDocuments({ deleted: false }));
    await stored.insertMany(Array.from({ length: left }, (_each, at) => ({ ...model, _id: 500_000 + at })));
    try {
      const body = { name: 'Last', min: 0, max: 1, options: one };
      const responses = await Promise.all([post(body), post(body), post(body)]);
      expect(responses.map(codeOf).toSorted()).toEqual([
        '201',
        '422 unprocessable_content',
        '422 unprocessable_content',
      ]);
      expect(pointersOf(await post(body))).toEqual(['']);
    } finally {
      await stored.deleteMany({ _id: { $gte: 500_000 } });
    }
  });

  test('let only managers write groups, only staff mark options, and anyone read them', async () => {
    const { id, options } = await newGroup();

    const guest = harness.as({ sub: 5, role: 'customer', name: 'Ana' });
    const path = `/option-groups/${id}`;
    expect(codeOf(await harness.waiter('PUT', path, { body: { max: 2 } }))).toBe('403 forbidden');
    expect(codeOf(await harness.waiter('DELETE', path))).toBe('403 forbidden');
    const availability = { body: { available: false } };
    expect(codeOf(await guest('PUT', `${path}/options/${options[0].id}/availability`, availability))).toBe(
      '403 forbidden',
    );
    expect((await fetch(`${harness.url}/option-groups`)).status).toBe(200);
  });
});
