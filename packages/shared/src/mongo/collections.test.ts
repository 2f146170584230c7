import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { collectionOf, collectionSchema, embeddedSchema, prepareCollections } from './collections.ts';

type Part = { kind: string; size: number };
type Thing = {
  _id: number;
  name: string;
  note: string | null;
  colour: 'red' | 'blue';
  price: mongo.Decimal128;
  main: Part;
  parts: Part[];
  tags: string[];
  /** A field that a newer release has added. */
  token?: string;
};

const partSchema = embeddedSchema<Part>({
  kind: { type: String, required: true, enum: ['wheel', 'door'] },
  size: { type: Number, required: true, min: 1, max: 9 },
});
const thingSchema = collectionSchema<Thing>('things', {
  _id: { type: Number, min: 1 },
  name: { type: String, required: true, maxlength: 4 },
  note: { type: String, maxlength: 4 },
  colour: { type: String, required: true, enum: ['red', 'blue'] },
  price: { type: mongoose.Schema.Types.Decimal128, required: true },
  main: { type: partSchema, required: true },
  parts: { type: [partSchema], required: true },
  tags: { type: [{ type: String, required: true, maxlength: 4 }], required: true },
  token: { type: String, allowNull: false },
}).index({ name: 1 }, { unique: true, partialFilterExpression: { name: { $exists: true } } });

const validThing = (_id: number): Thing => ({
  _id,
  name: String(_id),
  note: null,
  colour: 'red',
  price: mongoose.mongo.Decimal128.fromString('1.50'),
  main: { kind: 'wheel', size: 1 },
  parts: [{ kind: 'door', size: 9 }],
  tags: ['new'],
});

let uri: string;
let dbName: string;
let connection: Connection;
let things: mongo.Collection;
let lastId = 0;

beforeAll(async () => {
  const servers = await isolatedServers('collections');
  ({ mongodbUri: uri, database: dbName } = servers);
  connection = await mongoose.createConnection(uri, { dbName }).asPromise();
  await prepareCollections(connection, [thingSchema]);
  things = collectionOf(connection, thingSchema) as unknown as mongo.Collection;
});
afterAll(() => connection.close());

/** Inserts a thing with this change; a field that is undefined is left out. */
async function insert(change: object = {}, options: mongo.InsertOneOptions = {}): Promise<number> {
  const id = ++lastId;
  await things.insertOne({ ...validThing(id), ...change } as mongo.Document, { ignoreUndefined: true, ...options });
  return id;
}
const byId = (id: number) => ({ _id: id as unknown as mongo.ObjectId });
const refused = { code: 121 };

describe("a collection's schema validation", () => {
  test.each([
    ['a number instead of a text', { name: 1 }],
    ['a text instead of a decimal number', { price: '1.50' }],
    ['no text', { name: undefined }],
    ['null for a required text', { name: null }],
    ['a text that is too long', { name: '12345' }],
    ['an optional text that is too long', { note: '12345' }],
    ['a value that is not in the list', { colour: 'green' }],
    ['a number instead of a document', { main: 1 }],
    ['a number that is too small', { main: { kind: 'wheel', size: 0 } }],
    ['a number that is too large', { main: { kind: 'wheel', size: 10 } }],
    ['a document without a required field', { main: { kind: 'wheel' } }],
    ['a value that is not in the list, inside an array', { parts: [{ kind: 'roof', size: 1 }] }],
    ['null inside an array of documents', { parts: [null] }],
    ['a text that is too long, inside an array', { tags: ['12345'] }],
    ['null inside an array of texts', { tags: [null] }],
    ['null for a field that may only be absent', { token: null }],
  ])('rejects %s, both in an insert and in an update', async (_what, broken) => {
    const id = await insert();
    const update = things.replaceOne(byId(id), { ...validThing(id), ...broken }, { ignoreUndefined: true });

    await expect(update).rejects.toMatchObject(refused);
    await expect(insert(broken)).rejects.toMatchObject(refused);
  });

  test.each([
    ['the longest allowed text, counted in Unicode code points', { name: '👩👩👩👩' }],
    ['null for an optional field', { note: null }],
    ['a field that only a newer release knows', { weight: 3 }],
    ['an empty array', { parts: [] }],
  ])('accepts %s', async (_what, change) => {
    expect(await insert(change)).toBe(lastId);
  });

  test('allows changes to a document that was stored before the validation existed', async () => {
    const id = await insert({ colour: 'green' }, { bypassDocumentValidation: true });
    expect(await things.updateOne(byId(id), { $set: { name: 'new' } })).toMatchObject({ modifiedCount: 1 });
  });

  test("can't contain an option that MongoDB doesn't know", async () => {
    const schema = collectionSchema<{ name: string }>('others', { name: { type: String, default: '' } });
    await expect(prepareCollections(connection, [schema])).rejects.toThrow(
      'MongoDB cannot enforce the option default of name.',
    );
  });
});

describe('prepareCollections', () => {
  type Other = { name: string };
  const schemaOf = (collection: string, rule: object) =>
    collectionSchema<Other>(collection, { name: { type: String, ...rule } }).index({ name: 1 });

  test('creates schema validation and indexes only once if several instances run it at the same time', async () => {
    const schema = schemaOf('together', { required: true });
    await Promise.all(Array.from({ length: 8 }, () => prepareCollections(connection, [schema])));

    const collection = collectionOf(connection, schema);
    await expect(collection.insertOne({} as never)).rejects.toMatchObject(refused);
    expect((await collection.listIndexes().toArray()).map(({ name }) => String(name))).toEqual(['_id_', 'name_1']);
  });

  test("replaces another release's validation and keeps older indexes", async () => {
    await prepareCollections(connection, [schemaOf('changed', {}).index({ name: -1 })]);
    const schema = schemaOf('changed', { enum: ['a'] });
    await prepareCollections(connection, [schema]);

    const collection = collectionOf(connection, schema);
    await expect(collection.insertOne({ name: 'b' })).rejects.toMatchObject(refused);
    expect((await collection.listIndexes().toArray()).map(({ name }) => String(name))).toEqual([
      '_id_',
      'name_1',
      'name_-1',
    ]);
  });

  test("doesn't change a collection that is already up to date", async () => {
    const observed = await mongoose.createConnection(uri, { dbName, monitorCommands: true }).asPromise();
    const commands: string[] = [];
    observed.getClient().on('commandStarted', ({ commandName }) => void commands.push(commandName));
    await prepareCollections(observed, [thingSchema]);
    await observed.close();

    expect(commands).toContain('createIndexes');
    expect(commands).not.toContain('collMod');
  });
});
