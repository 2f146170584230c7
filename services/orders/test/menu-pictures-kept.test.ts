import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { menuPictures } from '@comanda/contracts/rules';
import { codeOf, created } from '@comanda/testing/call';
import { createPictureStore } from '../src/pictures/picture-store.ts';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { bomb, newFile } from './support/picture-files.ts';

let harness: OrdersHarness;
let offsetMs = 0;
beforeEach(async () => {
  harness = await startOrdersHarness('orders-pictures-kept', { clock: () => Date.now() + offsetMs });
});
afterEach(() => harness.close());

const pictures = () => harness.db.collection('menu_pictures');
const idOf = (address: string): string => address.slice('/menu-pictures/'.length);
/** Uploads a new picture. By the clock of this test, each upload is one second later than the one before it. */
async function upload(): Promise<string> {
  offsetMs += 1000;
  return created(await harness.manager('POST', '/menu-pictures', { file: await newFile() })).image_url;
}
const isKept = async (address: string): Promise<boolean> => (await harness.manager('GET', address)).status === 200;
/** Stores pictures directly in the database. If `shown` is true, also stores a dish for each picture. */
async function store(count: number, { shown }: { shown: boolean }): Promise<void> {
  const [one] = await pictures().find().toArray();
  const [dish] = await harness.db.collection('itensMenu').find().toArray();
  const ids = Array.from({ length: count }, (_each, at) => at.toString(16).padStart(64, '0'));
  await pictures().insertMany(ids.map((id) => ({ ...one, _id: id as never })));
  if (!shown) return;
  await harness.db.collection('itensMenu').insertMany(
    ids.map((id, at) => ({
      ...dish,
      _id: (10_000 + at) as never,
      itemID: 10_000 + at,
      name_key: `dish ${id}`,
      imagemURL: `/menu-pictures/${id}`,
    })),
  );
}

test('the latest uploads and all pictures on the menu stay stored', async () => {
  const shown = await upload();
  const shownAbroad = await upload();
  const shownSmall = await upload();
  const first = await upload();
  const again = await upload();
  await harness.createDish({ image_url: shown });
  await harness.createDish({ image_url: `https://menu.example${shownAbroad}` });
  const small = await harness.createDish({ image_url: `${shownSmall}?width=400` });
  const removed = await harness.createDish({ image_url: first });
  await harness.manager('DELETE', `/menu/${removed}`);
  for (let at = 0; at < menuPictures.maxUnused - 2; at++) await upload();
  expect(await isKept(first)).toBe(true);

  // This picture was uploaded second. The update makes it the latest upload.
  await pictures().updateOne({ _id: idOf(again) as never }, { $set: { uploaded_at: new Date(Date.now() + offsetMs) } });
  await upload();

  expect(await Promise.all([shown, shownAbroad, shownSmall, first, again].map(isKept))).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(await pictures().countDocuments()).toBe(menuPictures.maxUnused + 3);
  // The browser asks for the picture in the size that it displays.
  expect((await harness.manager('GET', `/menu/${small}`)).body.image_url).toBe(shownSmall);
});

test("a dish's form is rejected if its picture was removed in the meantime", async () => {
  const lost = await upload();
  const dish = await harness.createDish({ image_url: lost });
  const without = await harness.createDish();
  await pictures().deleteOne({ _id: idOf(lost) as never });

  const body = { name: 'Vatapá', price: '58.00', image_url: lost };
  const refused = [
    await harness.manager('POST', '/menu', { body }),
    await harness.manager('PUT', `/menu/${without}`, { body: { image_url: lost } }),
    await harness.manager('PUT', `/menu/${without}`, { body: { image_url: `${lost}?width=400` } }),
  ];
  for (const response of refused) {
    expect(codeOf(response)).toBe('422 unprocessable_content');
    expect(response.body.errors).toEqual([
      { pointer: '/image_url', detail: expect.stringMatching(/^This picture is no longer stored/) },
    ]);
  }
  // A dish can be saved unchanged even if its picture is missing, for example after the menu was restored without pictures.
  expect((await harness.manager('PUT', `/menu/${dish}`, { body })).status).toBe(200);
});

test('uploading a picture that is already stored makes it the latest', async () => {
  const file = await newFile();
  const { image_url: address } = created(await harness.manager('POST', '/menu-pictures', { file }));
  const before = await pictures().findOne({ _id: idOf(address) as never });
  offsetMs += 60_000;

  expect((await harness.manager('POST', '/menu-pictures', { file })).status).toBe(200);

  const after = await pictures().findOne({ _id: idOf(address) as never });
  expect(after?.['uploaded_at'].getTime() - before?.['uploaded_at'].getTime()).toBeGreaterThanOrEqual(60_000);
});

test('a new picture is rejected if dishes use the maximum number of pictures', async () => {
  const file = await newFile();
  const { image_url: address } = created(await harness.manager('POST', '/menu-pictures', { file }));
  await harness.createDish({ image_url: address });
  await store(menuPictures.max - 1, { shown: true });

  expect(codeOf(await harness.manager('POST', '/menu-pictures', { file: await newFile() }))).toBe(
    '409 too_many_pictures',
  );
  expect((await harness.manager('POST', '/menu-pictures', { file })).status).toBe(200);
  expect(await pictures().countDocuments()).toBe(menuPictures.max);
});

test('unused pictures above the limit are removed to make room for new ones', async () => {
  await upload();
  await store(menuPictures.max, { shown: false });

  const address = await upload();

  expect(await isKept(address)).toBe(true);
  expect(await pictures().countDocuments()).toBe(menuPictures.maxUnused);
});

test('orders are still accepted while many large pictures are uploaded', async () => {
  const file = bomb(5000, 4900);
  const dish = await harness.createDish();
  const placeOrder = () => harness.manager('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });

  const both = Array.from({ length: 24 }, () => [harness.manager('POST', '/menu-pictures', { file }), placeOrder()]);
  const responses = await Promise.all(both.flat());

  const uploads = responses.filter((_each, at) => at % 2 === 0);
  const refused = uploads.filter(({ status }) => status >= 400);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(uploads.length);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(['503 service_unavailable']));
  // Nothing was written, so the client may send the same file again.
  const reported = refused.map(({ headers, body }) => `${headers.get('retry-after')} ${body.outcome}`);
  expect(new Set(reported)).toEqual(new Set(['1 undefined']));
  expect(new Set(responses.filter((_each, at) => at % 2 === 1).map(({ status }) => status))).toEqual(new Set([201]));
});

test("a picture isn't removed if a dish starts to use it at the last moment", async () => {
  const address = await upload();
  const other = await upload();
  const { mongodbUri, database } = harness.servers;
  const connection = await mongoose.createConnection(mongodbUri, { dbName: database }).asPromise();
  const { findAll, remove } = createPictureStore(connection);
  const read = await findAll();
  await harness.createDish({ image_url: address });

  await remove(read);
  await connection.close();

  expect([await isKept(address), await isKept(other)]).toEqual([true, false]);
});
