import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { collectionSchema, type AnySchema } from './collections.ts';
import { assertPrepared, prepareDatabase, preparationSchema, type Preparation } from './prepare-database.ts';

type Dish = { _id: number; name: string; state: string };
const states = ['raw', 'cooked'];
const dishSchema = (allowed: readonly string[] = states): AnySchema =>
  collectionSchema<Dish>('dishes', {
    _id: { type: Number },
    name: { type: String, required: true },
    state: { type: String, required: true, enum: [...allowed] },
  }).index({ name: 1 }, { name: 'by_name', unique: true });

let uri: string;
let prefix: string;
let databases = 0;
let connection: Connection;
beforeAll(async () => {
  ({ mongodbUri: uri, database: prefix } = await isolatedServers('prepare'));
});
beforeEach(async () => {
  await connection?.close();
  connection = await mongoose.createConnection(uri, { dbName: `${prefix}_${++databases}` }).asPromise();
});
afterAll(() => connection.close());

const preparationOf = (version: string, more: Partial<Preparation> = {}): Preparation => ({
  service: 'kitchen',
  version,
  collections: [dishSchema(), preparationSchema],
  steps: [],
  ...more,
});
const prepare = (preparation: Preparation) => prepareDatabase(connection, preparation, silentLogger);
const lackOf = async (preparation: Preparation): Promise<string> => {
  const error = await assertPrepared(connection, preparation).catch((thrown: unknown) => thrown as Error);
  return error ? error.message : 'prepared';
};
const dishes = () => connection.collection('dishes') as unknown as mongo.Collection<Dish>;
const records = () => connection.collection('preparations') as unknown as mongo.Collection<{ _id: string }>;
const insertDish = (_id: number, state: string) => dishes().insertOne({ _id, name: `Dish ${_id}`, state });
const refused = { code: 121 };

describe('a database', () => {
  test('reports what it lacks, and which command to run, until it is prepared', async () => {
    expect(await lackOf(preparationOf('1.0.0'))).toBe(
      `The database ${prefix}_${databases} is not prepared for kitchen 1.0.0: it lacks the collection dishes, ` +
        'the collection preparations. Run "node dist/prepare.js" in the image of kitchen, with its MONGODB_URI.',
    );
  });

  test('lacks nothing once it is prepared, and enforces its validation and indexes', async () => {
    await prepare(preparationOf('1.0.0'));

    expect(await lackOf(preparationOf('1.0.0'))).toBe('prepared');
    await expect(insertDish(1, 'burnt')).rejects.toMatchObject(refused);
    await insertDish(1, 'raw');
    await expect(dishes().insertOne({ _id: 2, name: 'Dish 1', state: 'raw' })).rejects.toMatchObject({ code: 11_000 });
  });

  test.each<[what: string, lacks: string, change: () => Promise<unknown>]>([
    ['an index', 'the index by_name of dishes', () => dishes().dropIndex('by_name')],
    ['its rules', 'the rules of dishes', () => connection.db!.command({ collMod: 'dishes', validator: {} })],
    ['a step', 'the step "salt"', () => records().deleteOne({ _id: 'step: salt' })],
  ])('reports that it lacks %s', async (_what, lacks, change) => {
    const preparation = preparationOf('1.0.0', { steps: [{ name: 'salt', run: () => Promise.resolve() }] });
    await prepare(preparation);
    await change();

    expect(await lackOf(preparation)).toContain(`it lacks ${lacks}.`);
    await prepare(preparation);
    expect(await lackOf(preparation)).toBe('prepared');
  });
});

describe('a step', () => {
  const step = (name: string, made: string[]) => ({ name, run: async () => void made.push(name) });

  test('runs once, even if the database is prepared again with new steps', async () => {
    const made: string[] = [];
    await prepare(preparationOf('1.0.0', { steps: [step('salt', made)] }));
    await prepare(preparationOf('1.1.0', { steps: [step('salt', made), step('pepper', made), step('oil', made)] }));

    expect(made).toEqual(['salt', 'pepper', 'oil']);
  });

  test("runs again in the next attempt if it failed, but the completed steps before it don't", async () => {
    const made: string[] = [];
    let isBroken = true;
    const failing = {
      name: 'pepper',
      run: async () => (isBroken ? Promise.reject(new Error('no pepper')) : undefined),
    };
    const preparation = preparationOf('1.0.0', { steps: [step('salt', made), failing, step('oil', made)] });
    await expect(prepare(preparation)).rejects.toThrow('no pepper');
    expect(await lackOf(preparation)).toContain('it lacks the step "pepper", the step "oil".');

    isBroken = false;
    await prepare(preparation);

    expect(made).toEqual(['salt', 'oil']);
  });

  test('runs in only one of several processes, while the others wait for it', async () => {
    const running = { now: 0, most: 0, times: 0 };
    const run = async (): Promise<void> => {
      running.times++;
      running.most = Math.max(running.most, ++running.now);
      await until(async () => waiting >= 3, { what: 'the others to wait' });
      running.now--;
    };
    let waiting = 0;
    const logger = { info: (...args: unknown[]) => void (String(args[0]).includes('waiting for it') && waiting++) };
    const preparation = preparationOf('1.0.0', { steps: [{ name: 'salt', run }] });

    await Promise.all(Array.from({ length: 4 }, () => prepareDatabase(connection, preparation, logger as never)));

    expect(running).toEqual({ now: 0, most: 1, times: 1 });
  });

  test("runs in the next process once a killed process's lock has expired", async () => {
    const lock = { _id: 'lock', holder: 'a process that was killed', until: new Date(Date.now() - 1) };
    await records().insertOne(lock);

    await prepare(preparationOf('1.0.0'));

    expect(await lackOf(preparationOf('1.0.0'))).toBe('prepared');
  });
});

describe('when releases share a database', () => {
  const last = preparationOf('1.9.0');
  const next = preparationOf('1.10.0', {
    collections: [dishSchema([...states, 'burnt']), preparationSchema],
    steps: [
      {
        name: 'count',
        run: async (opened) => void (await opened.collection('dishes').updateMany({}, [{ $set: { weight: 1 } }])),
      },
    ],
  });

  test('the last release starts and writes after a newer one has prepared the database, and keeps the newer validation', async () => {
    await prepare(last);
    await insertDish(1, 'raw');
    await prepare(next);

    expect(await lackOf(last)).toBe('prepared');
    await prepare(last); // a rollback to the last release prepares the database like this
    await insertDish(2, 'cooked'); // written by the last release
    await insertDish(3, 'burnt'); // written by the newer release, which is still running
    expect(await lackOf(next)).toBe('prepared');
  });

  test('an instance of the last release starts while a newer release is preparing the database', async () => {
    await prepare(last);
    let lack = '';
    const look = { name: 'look', run: async () => void (lack = await lackOf(last)) };
    await prepare({ ...next, steps: [look] });

    expect(lack).toBe('prepared');
  });

  test.each<[what: string, change: () => Promise<unknown>]>([
    ['added an index', () => dishes().createIndex({ state: 1 }, { name: 'by_state' })],
    [
      'added options to the same index',
      async () => {
        await dishes().dropIndex('by_name');
        await dishes().createIndex({ name: 1 }, { name: 'by_name', unique: true, hidden: true });
      },
    ],
  ])('the last release starts and prepares the database alongside a newer one that has %s', async (_what, change) => {
    await prepare(next);
    await change();
    await prepare(last);

    expect(await lackOf(last)).toBe('prepared');
  });

  test('the last release adds its own missing steps and indexes after a newer one has prepared the database', async () => {
    await prepare(next);
    const collections = [
      (dishSchema() as mongoose.Schema).index({ state: 1 }, { name: 'by_state' }),
      preparationSchema,
    ];
    const corrected = { ...last, collections, steps: [{ name: 'salt', run: () => Promise.resolve() }] };
    expect(await lackOf(corrected)).toContain('it lacks the index by_state of dishes, the step "salt".');
    await prepare(corrected);

    expect(await lackOf(corrected)).toBe('prepared');
    expect(await lackOf(next)).toBe('prepared');
  });

  test("the last release doesn't start without a unique index that it relies on", async () => {
    await prepare(next);
    await dishes().dropIndex('by_name');
    await dishes().createIndex({ name: 1 }, { name: 'by_name' });

    expect(await lackOf(last)).toContain('it lacks the index by_name of dishes.');
  });

  test('a release that changes an index without renaming it is rejected, and the error says why', async () => {
    await prepare(last);
    const changed = collectionSchema<Dish>('dishes', {
      _id: { type: Number },
      name: { type: String },
      state: { type: String },
    });
    const preparation = { ...next, collections: [changed.index({ state: 1 }, { name: 'by_name' }), preparationSchema] };

    await expect(prepare(preparation)).rejects.toThrow(/A changed index needs another name: see docs\/releases\.md\.$/);
    expect(await lackOf(last)).toBe('prepared');
  });
});
