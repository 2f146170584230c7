import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { created } from '@comanda/testing/call';
import { compileCacheDir } from '@comanda/testing/environment';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('find-twins');
});
afterAll(() => harness.close());

const findTwins = (database: string) =>
  promisify(execFile)(process.execPath, ['--conditions=source', 'services/orders/src/find-twins.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCacheDir(),
      MONGODB_URI: harness.servers.mongodbUri,
      MONGODB_DATABASE: database,
    },
  });
const add = async (dish: { name: string; category: string; station: string }): Promise<number> =>
  created(await harness.manager('POST', '/menu', { body: { price: '10.00', ...dish } })).id;

test('find-twins lists different names with the same key that release 1.0.0 stored', async () => {
  const { database } = harness.servers;
  await add({ name: 'Feijoada', category: 'Porções', station: 'Bar' });
  const twin = await add({ name: 'Caldo', category: 'Carnes', station: 'grill' });
  const stored = { nome: 'Fei\u00adjoada', category: 'porc\u0327o\u0303es', station: 'bar' };
  await harness.db.collection('itensMenu').updateOne({ itemID: twin }, { $set: stored });

  const { stdout, stderr } = await findTwins(database);
  expect([stdout.split('\n').map((line) => line.split('. ')[0]), stderr]).toEqual([
    [
      String.raw`Dishes: "Feijoada" and "Fei\u{ad}joada"`,
      String.raw`Categories: "Porções" and "porc\u{327}o\u{303}es"`,
      'Stations: "Bar" and "bar"',
      '',
    ],
    '',
  ]);

  const body = { name: 'Caldo', category: 'Porções', station: 'Bar' };
  expect((await harness.manager('PUT', `/menu/${twin}`, { body })).status).toBe(200);
  expect((await findTwins(database)).stdout).toBe('No two dishes, categories or stations are the same.\n');
});

test("find-twins rejects another service's database", async () => {
  await expect(findTwins(`${harness.servers.database}_other`)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not prepared'),
  });
});
