import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { menuPictures } from '@comanda/contracts/rules';
import { codeOf, created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { newFile } from './support/picture-files.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-restaurant');
});
afterAll(() => harness.close());

const put = (body: object, call = harness.manager) => call('PUT', '/restaurant', { body });
const read = async () => (await harness.manager('GET', '/restaurant', { token: undefined })).body;
const wifi = { ssid: 'Comanda guests', password: 'boa-comida-2026' };
const marta = { id: 900_001, name: 'Marta', role: 'manager' };
/** Waits for the event with this version of the settings. */
const eventOf = (version: number) =>
  until(
    () =>
      (harness.events.of('ordering.settings_changed') as CloudEvent<'ordering.settings_changed'>[]).find(
        ({ data }) => data.restaurant.version === version,
      ),
    { what: 'the event' },
  );
const changes = async (query = ''): Promise<object[]> =>
  (await harness.manager('GET', `/restaurant-changes${query}`)).body;

describe("the restaurant's settings", () => {
  test('are public, including the logo, the accent colour and the time limits for categories', async () => {
    const logo = await upload();
    const category_limits = [{ category: ' Bebidas', amber_minutes: 3, late_minutes: 6 }];

    const { body } = await put({ logo: `${logo}?width=400`, accent: '#B03420', category_limits });

    const shown = { logo, accent: '#b03420', category_limits: [{ ...category_limits[0], category: 'Bebidas' }] };
    expect(body).toMatchObject(shown);
    expect(await read()).toEqual(body);
    expect((await put({ accent: null, logo: null })).body).toMatchObject({ ...shown, accent: null, logo: null });
  });

  test('are published in full with each change', async () => {
    const { body } = await put({ accent: '#1d4ed8' });

    expect((await eventOf(body.version)).data).toEqual({ restaurant: body });
  });

  test('keep all changes when managers change different settings at the same time', async () => {
    const bodies = [{ name: 'Casa da Ana' }, { accent: '#166534' }, { waiter_discount_limit: '7.00' }, { wifi }];
    const before = await read();

    const responses = await Promise.all(bodies.map((body) => put(body)));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await read()).toMatchObject({
      name: 'Casa da Ana',
      accent: '#166534',
      waiter_discount_limit: '7.00',
      version: before.version + 4,
    });
    expect(codeOf(await put({ accent: null, version: before.version }))).toBe('412 version_mismatch');
  });

  test("keep fields that release 1.0.0 doesn't know when that release changes them", async () => {
    const { body } = await put({ accent: '#166534', wifi });
    // Release 1.0.0 replaces the whole field `settings`.
    await harness.db.collection('restaurant').updateOne(
      { _id: 'orders' as never },
      {
        $set: {
          settings: {
            name: 'By 1.0.0',
            service_charge: { rate: '10.00', optional: true },
            tip_suggestions: [],
            waiter_discount_limit: '0.00',
            version: body.version + 1,
          },
        },
      },
    );

    expect(await read()).toMatchObject({ name: 'By 1.0.0', accent: '#166534' });
    expect((await harness.manager('GET', '/restaurant/wifi')).body).toEqual({ wifi, version: body.version + 1 });
  });

  test.each([
    ['an accent that is hard to read under white text', { accent: '#ffd166' }, '422 unprocessable_content /accent'],
    ["an accent that isn't a colour", { accent: 'red' }, '400 validation_failed /accent'],
    ['a logo that is not stored', { logo: `/menu-pictures/${'0'.repeat(64)}` }, '422 unprocessable_content /logo'],
    ['a logo at another address', { logo: 'https://elsewhere.example/a.png' }, '400 validation_failed /logo'],
    [
      'a category that is late at once',
      { category_limits: [{ category: 'Pratos', amber_minutes: 9, late_minutes: 9 }] },
      '422 unprocessable_content /category_limits/0/amber_minutes',
    ],
  ])("can't have %s", async (_what, body, refusal) => {
    const before = await read();

    const response = await put({ name: 'Never stored', ...body });

    expect(`${codeOf(response)} ${response.body.errors[0].pointer}`).toBe(refusal);
    expect(await read()).toEqual(before);
  });
});

describe("the restaurant's logo", () => {
  test('stays stored although no dish uses it', async () => {
    const logo = await upload();
    await put({ logo });
    for (let at = 0; at <= menuPictures.maxUnused; at++) await upload();

    expect((await harness.manager('GET', logo)).status).toBe(200);
  });
});

describe("the guests' Wi-Fi", () => {
  test('is shown only to managers', async () => {
    const { body, text } = await put({ wifi });

    expect(text).not.toContain(wifi.password);
    expect(JSON.stringify(await read())).not.toContain(wifi.ssid);
    expect((await harness.manager('GET', '/restaurant/wifi')).body).toEqual({ wifi, version: body.version });
    expect(codeOf(await harness.waiter('GET', '/restaurant/wifi'))).toBe('403 forbidden');
    expect(codeOf(await harness.manager('GET', '/restaurant/wifi', { token: undefined }))).toBe(
      '401 authentication_required',
    );
  });

  test("doesn't appear in events or records", async () => {
    const { body } = await put({ wifi: { ...wifi, password: 'another-secret' } });
    await eventOf(body.version);

    expect(JSON.stringify(harness.events.of('ordering.settings_changed'))).not.toMatch(/another-secret|Comanda guests/);
    const stored = await harness.db.collection('restaurant_changes').find({}).toArray();
    expect(JSON.stringify(stored)).not.toMatch(/another-secret|Comanda guests/);
  });

  test.each([
    ['a short password', { ...wifi, password: 'secret7' }, '/wifi/password'],
    ['a password with an accent', { ...wifi, password: 'boa-refeição' }, '/wifi/password'],
    ['a name of 33 bytes', { ...wifi, ssid: `${'é'.repeat(16)}x` }, '/wifi/ssid'],
  ])("can't have %s, and the error doesn't repeat it", async (_what, body, pointer) => {
    const response = await put({ wifi: body });

    expect([codeOf(response), response.body.errors[0].pointer]).toEqual(['400 validation_failed', pointer]);
    expect(response.text).not.toContain(body.password);
  });

  test('can be an open network and can be removed', async () => {
    const get = async () => (await harness.manager('GET', '/restaurant/wifi')).body.wifi;
    await put({ wifi: { ssid: 'Open', password: null } });
    expect(await get()).toEqual({ ssid: 'Open', password: null });

    await put({ wifi: null });
    expect(await get()).toBeNull();
  });
});

describe('the history of the settings', () => {
  test('shows who changed what, in several pages', async () => {
    await put({ accent: null, wifi: null });
    await put({ accent: '#166534', name: 'Casa' });
    await put({ wifi });
    await put({ name: 'Casa' });

    const at = expect.stringMatching(/^20.*Z$/);
    const [newest, older] = await changes('?limit=2');
    expect(newest).toEqual({ at, actor: marta, before: {}, after: { wifi_changed: true } });
    expect(older).toMatchObject({ at, actor: marta, before: { accent: null }, after: { accent: '#166534' } });
    const first = await harness.manager('GET', '/restaurant-changes?limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect([...first.body, ...(await harness.manager('GET', next)).body]).toEqual([newest, older]);
  });

  test('is allowed only for managers', async () => {
    expect(codeOf(await harness.waiter('GET', '/restaurant-changes'))).toBe('403 forbidden');
  });
});

async function upload(): Promise<string> {
  return created(await harness.manager('POST', '/menu-pictures', { file: await newFile() })).image_url;
}
