import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { loadConfig } from '@comanda/shared/config/load-config';
import { startAuthStepupProcess, type AuthStepupProcess, type TestUser } from '@comanda/testing/auth-stepup-process';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { testResponseTimeLimitMs } from '@comanda/testing/patient';
import { freeUrls } from '@comanda/testing/stack';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import { createTestLogger } from '@comanda/testing/test-logger';
import { testSecrets } from '@comanda/testing/test-secrets';
import { untilReady } from '@comanda/testing/until-ready';
import { ordersSettings } from '../src/config.ts';
import { prepareFor } from '@comanda/testing/prepare';
import { ordersPreparation } from '../src/preparation.ts';
import { startOrders } from '../src/service.ts';

const key = 'menu.manage';
let auth: AuthStepupProcess;
let marta: TestUser;
/** A manager's calls to two services: `strict` runs with MENU_STEP_UP=on, `lenient` with MENU_STEP_UP=off. */
let strict: Call;
let lenient: Call;
const closes: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const servers = await isolatedServers('orders-menu-consent');
  const stack = stackSettings({ urls: await freeUrls(), servers, secrets: testSecrets() });
  auth = await startAuthStepupProcess(stack['auth-stepup']);
  closes.push(() => auth.end('SIGTERM'));
  const start = async (settings: Record<string, string>): Promise<string> => {
    const env = { ...stack.orders, PORT: '0', MONGODB_DATABASE: servers.database, ...settings };
    const config = loadConfig(ordersSettings, env);
    await prepareFor(config, ordersPreparation);
    const service = await startOrders(config, createTestLogger('orders'), {
      responseTimeLimitMs: testResponseTimeLimitMs,
    });
    closes.unshift(service.close);
    await untilReady(service.url);
    return service.url;
  };
  const [on, off] = [await start({ MENU_STEP_UP: 'on' }), await start({})];
  await auth.ready();
  marta = await auth.manager();
  [strict, lenient] = [caller(on, marta), caller(off, marta)];
});
afterAll(async () => {
  for (const close of closes) await close();
});

let dishes = 0;
/** Adds a dish for 32.50 as a manager. This needs no PIN. */
async function newDish(): Promise<{ id: number; name: string }> {
  const name = `Feijoada ${++dishes}`;
  const { id } = created(await lenient('POST', '/menu', { body: { name, price: '32.50' } }));
  return { id, name };
}
const tokenFor = (details: object): Promise<string> =>
  auth.issueStepUpToken({
    userId: marta.id,
    endpointKey: key,
    details: [{ type: 'menu_management', ...details }],
  });
const put = (id: number, body: object, token?: string): Promise<Called> =>
  strict('PUT', `/menu/${id}`, { body, ...(token !== undefined && { headers: { 'x-step-up-token': token } }) });
/** Adds an option group as a manager. This needs no PIN. */
const newGroup = async (): Promise<{ id: number; options: { id: number }[] }> =>
  created(
    await lenient('POST', '/option-groups', {
      body: { name: 'Ponto', min: 0, max: 1, options: [{ name: 'X', price: '1' }] },
    }),
  );
const putGroup = (id: number, body: object, token?: string): Promise<Called> =>
  strict('PUT', `/option-groups/${id}`, {
    body,
    ...(token !== undefined && { headers: { 'x-step-up-token': token } }),
  });
const read = async (id: number) => (await lenient('GET', `/menu/${id}`)).body;

describe('MENU_STEP_UP=on', () => {
  test.each([
    ['price', { price: '0.01' }],
    ['name', { name: 'Another name' }],
    ['pricing', { pricing: 'open' }],
    ['name in another language', { name_translations: { en: 'Another name' } }],
  ])('rejects a new %s without a PIN', async (_what, change) => {
    const dish = await newDish();

    expect(codeOf(await put(dish.id, change))).toBe('401 step_up_required');
    expect(await read(dish.id)).toMatchObject({ name: dish.name, price: '32.50' });
  });

  test('rejects a new dish without a PIN', async () => {
    const name = `Moqueca ${++dishes}`;

    expect(codeOf(await strict('POST', '/menu', { body: { name, price: '0.01' } }))).toBe('401 step_up_required');
    expect((await lenient('GET', '/menu')).body.map((dish: { name: string }) => dish.name)).not.toContain(name);
  });

  test('accepts a PIN only once, and only for the price for which it was entered', async () => {
    const { id } = await newDish();
    const token = await tokenFor({ item_id: id, price: '34' });

    expect([
      codeOf(await put(id, { price: '34.00' }, token)),
      codeOf(await put(id, { price: '34.00' }, token)),
    ]).toEqual(['200', '401 step_up_used']);
    expect(await read(id)).toMatchObject({ price: '34.00' });
    const [change] = (await lenient('GET', `/menu-changes?item_id=${id}`)).body;
    expect(change).toMatchObject({ actor: { id: marta.id }, before: { price: '32.50' }, after: { price: '34.00' } });
  });

  test.each<[string, (id: number) => object, object]>([
    ['another price', (id) => ({ item_id: id, price: '34.00' }), { price: '0.01' }],
    ['the price of another dish', (id) => ({ item_id: id + 1, price: '34.00' }), { price: '34.00' }],
    [
      'the price when the name changes too',
      (id) => ({ item_id: id, price: '34.00' }),
      { price: '34.00', name: 'Water' },
    ],
    [
      'the price when a translated name changes too',
      (id) => ({ item_id: id, price: '34.00' }),
      { price: '34.00', name_translations: { en: 'Water' } },
    ],
    [
      'the price when the pricing changes too',
      (id) => ({ item_id: id, price: '34.00' }),
      { price: '34.00', pricing: 'open' },
    ],
    ['a new dish', () => ({ name: 'Feijoada', price: '34.00' }), { price: '34.00' }],
  ])('rejects a PIN for %s', async (_what, agreed, change) => {
    const { id, name } = await newDish();
    const token = await tokenFor(agreed(id));

    expect(codeOf(await put(id, change, token))).toBe('401 step_up_wrong_details');
    expect(await read(id)).toMatchObject({ name, price: '32.50' });
  });

  test('accepts translated names with a PIN for exactly these names', async () => {
    const { id } = await newDish();
    const token = await tokenFor({ item_id: id, sets_translated_names: true });

    expect(codeOf(await put(id, { name_translations: { en: 'Bean stew' } }, token))).toBe('200');
    expect(await read(id)).toMatchObject({ name_translations: { en: 'Bean stew' } });
  });

  test('accepts a new dish with a PIN for exactly this dish', async () => {
    const dish = { name: `Vatapá ${++dishes}`, price: '41.00' };
    const headers = { 'x-step-up-token': await tokenFor(dish) };

    expect(created(await strict('POST', '/menu', { body: dish, headers }))).toMatchObject(dish);
  });

  test('accepts an import only once, with a PIN for exactly its rows', async () => {
    const dish = { name: `Bobó ${++dishes}`, price: '62.00' };
    const importing = (rows: object[], token?: string) =>
      strict('PUT', '/menu/import', {
        body: { dishes: rows, sha256: canonicalDigest(rows) },
        ...(token !== undefined && { headers: { 'x-step-up-token': token } }),
      });
    const token = await tokenFor({ menu_sha256: canonicalDigest([dish]) });

    expect([
      codeOf(await importing([dish])),
      codeOf(await importing([{ name: dish.name }], token)),
      codeOf(await importing([{ ...dish, price: '0.01' }], token)),
    ]).toEqual(['401 step_up_required', '422 unprocessable_content', '401 step_up_wrong_details']);
    const again = await tokenFor({ menu_sha256: canonicalDigest([dish]) });
    expect([codeOf(await importing([dish], again)), codeOf(await importing([dish], again))]).toEqual([
      '200',
      '401 step_up_used',
    ]);
  });

  test("leaves the token unspent if the dish doesn't exist", async () => {
    const { id } = await newDish();
    const token = await tokenFor({ item_id: id, price: '34.00' });

    expect(codeOf(await put(999_999, { price: '34.00' }, token))).toBe('404 not_found');
    expect(codeOf(await put(id, { price: '34.00' }, token))).toBe('200');
  });

  test('leaves the token unspent if another dish already has that name', async () => {
    const [first, second] = [await newDish(), await newDish()];
    const token = await tokenFor({ item_id: second.id, name: first.name });

    expect(codeOf(await put(second.id, { name: first.name }, token))).toBe('409 menu_item_exists');
    const twin = `Fei\u00ad${first.name.slice(3)}`;
    const tokenOfTwin = await tokenFor({ item_id: second.id, name: twin });
    expect(codeOf(await put(second.id, { name: twin }, tokenOfTwin))).toBe('409 menu_item_exists');
    await lenient('DELETE', `/menu/${first.id}`);
    expect(codeOf(await put(second.id, { name: first.name }, token))).toBe('200');
    expect(codeOf(await put(second.id, { name: twin }, tokenOfTwin))).toBe('200');
  });

  test('accepts a dish with option groups only with a PIN for its groups, and unspent if one is unknown', async () => {
    const dish = await newDish();
    const { id } = await newGroup();
    const token = await tokenFor({ item_id: dish.id, sets_option_groups: true });

    expect(codeOf(await put(dish.id, { option_group_ids: [id] }))).toBe('401 step_up_required');
    expect(codeOf(await put(dish.id, { option_group_ids: [id, 999_999] }, token))).toBe('422 unprocessable_content');
    expect(codeOf(await put(dish.id, { option_group_ids: [id] }, token))).toBe('200');
    const added = { name: `Moqueca ${++dishes}`, price: '41.00', option_group_ids: [id] };
    const { option_group_ids: _, ...agreed } = added;
    const add = async (details: object) =>
      strict('POST', '/menu', { body: added, headers: { 'x-step-up-token': await tokenFor(details) } });
    expect(codeOf(await add(agreed))).toBe('401 step_up_wrong_details');
    expect(codeOf(await add({ ...agreed, sets_option_groups: true }))).toBe('201');
  });

  test('accepts a new option group with a PIN for exactly its name, price and options', async () => {
    const group = { name: 'Ponto', min: 0, max: 1, price_method: 'average', options: [{ name: 'X', price: '1' }] };
    const agreed = { name: 'Ponto', price_method: 'average', sets_options: true };
    const post = (body: object, token?: string) =>
      strict('POST', '/option-groups', { body, ...(token !== undefined && { headers: { 'x-step-up-token': token } }) });
    const token = await tokenFor(agreed);

    expect([
      codeOf(await post(group)),
      codeOf(await post({ ...group, min: 2, max: 2 }, token)),
      codeOf(await post(group, token)),
      codeOf(await post({ ...group, price_method: 'max' }, await tokenFor(agreed))),
    ]).toEqual(['401 step_up_required', '422 unprocessable_content', '201', '401 step_up_wrong_details']);
  });

  test.each([
    ['name', { name: 'Another name' }, { name: 'Another name' }],
    ['price method', { price_method: 'max' }, { price_method: 'max' }],
    ['number of included options', { free: 1 }, { free: 1 }],
    ['name in another language', { name_translations: { en: 'X' } }, { sets_translated_names: true }],
    ['options', { options: [{ name: 'Free', price: '0' }] }, { sets_options: true }],
  ])("needs a PIN for an option group's %s, and spends it last", async (_what, change, agreed) => {
    const { id } = await newGroup();
    const token = await tokenFor({ option_group_id: id, ...agreed });

    expect([
      codeOf(await putGroup(id, change)),
      codeOf(await putGroup(999_999, change, token)),
      codeOf(await putGroup(id, { ...change, version: 9 }, token)),
      codeOf(await putGroup(id, { ...change, min: 1, max: 1, free: 9 }, token)),
      codeOf(await putGroup(id, change, token)),
    ]).toEqual(['401 step_up_required', '404 not_found', '412 version_mismatch', '422 unprocessable_content', '200']);
  });

  test('requires no PIN to change how many options are chosen, or whether one is sold out', async () => {
    const { id, options } = await newGroup();

    expect(codeOf(await putGroup(id, { min: 1, max: 1, version: 1 }))).toBe('200');
    const path = `/option-groups/${id}/options/${options[0]?.id}/availability`;
    expect(codeOf(await strict('PUT', path, { body: { available: false } }))).toBe('200');
    expect(codeOf(await strict('DELETE', `/option-groups/${id}`))).toBe('204');
  });

  test.each([
    ['its description', (id: number) => put(id, { description: 'Black beans' })],
    [
      'whether it is sold out',
      (id: number) => strict('PUT', `/menu/${id}/availability`, { body: { available: false } }),
    ],
  ])('requires no PIN to change %s', async (_what, change) => {
    const { id } = await newDish();

    expect(codeOf(await change(id))).toBe('200');
  });
});

test('MENU_STEP_UP=off lets a manager set a price without a PIN', async () => {
  const { id } = await newDish();

  expect(codeOf(await lenient('PUT', `/menu/${id}`, { body: { price: '34.00' } }))).toBe('200');
});

test('a price change gets a 503 while auth-stepup is down', async () => {
  const { id } = await newDish();
  const token = await tokenFor({ item_id: id, price: '34.00' });
  const pid = auth.child().pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    expect(codeOf(await put(id, { price: '34.00' }, token))).toBe('503 service_unavailable');
    expect(await read(id)).toMatchObject({ price: '32.50' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});
