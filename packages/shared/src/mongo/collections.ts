import { isDeepStrictEqual } from 'node:util';
import mongoose, {
  type Connection,
  type mongo,
  type Schema,
  type SchemaDefinitionProperty,
  type SchemaType,
} from 'mongoose';
import { majorityWrites } from './connection.ts';

/** Declares all fields of the documents, including the optional ones. */
type Fields<D> = { [K in keyof Required<D>]: NonNullable<SchemaDefinitionProperty<Required<D>[K]>> };

/**
 * Creates a collection's schema: the validation and the indexes for its documents. MongoDB validates every write. A `required`
 * field is never null. Default values have no effect, because mongoose does not write the documents.
 */
export const collectionSchema = <D>(collection: string, fields: Fields<D>): Schema<D> =>
  new mongoose.Schema<D>(fields as never, { collection });

/** Creates a schema for embedded documents, which have no `_id`. */
export const embeddedSchema = <D>(fields: Fields<D>): Schema<D> =>
  new mongoose.Schema<D>(fields as never, { _id: false });

/** Returns the MongoDB driver's collection, without mongoose: reads return plain objects, and the server validates writes. */
export const collectionOf = <D extends mongo.Document>(
  connection: Connection,
  schema: Schema<D>,
): mongo.Collection<D> => connection.collection(nameOf(schema)) as unknown as mongo.Collection<D>;

/**
 * Creates the collections and their indexes. Changes the validation of existing collections to match the schemas. Can be
 * repeated, even by several instances at the same time. Indexes that are not in the schemas are kept. With `existing: 'keep'`,
 * existing validation is kept too, and so are indexes with other options.
 */
export async function prepareCollections(
  connection: Connection,
  schemas: readonly AnySchema[],
  { existing = 'change' }: { existing?: 'change' | 'keep' } = {},
): Promise<void> {
  const prepare = existing === 'change' ? prepareCollection : completeCollection;
  const db = openedDb(connection);
  await Promise.all(schemas.map((schema) => prepare(db, schema)));
}

/** Creates a collection with its validation and indexes. An existing collection is left unchanged. */
export async function createMissingCollection(connection: Connection, schema: AnySchema): Promise<void> {
  const db = openedDb(connection);
  if (await createCollection(db, schema)) await createIndexes(db, nameOf(schema), indexesOf(schema));
}

/**
 * Returns the collections, validation and indexes that a database lacks, each as a text like `the index A of B`. An index with
 * other options is accepted unless it must be unique. Collections without a schema are ignored. With `rules: 'any'`, other
 * validation is accepted.
 */
export async function findMissing(
  connection: Connection,
  { schemas, rules }: { schemas: readonly AnySchema[]; rules: 'own' | 'any' },
): Promise<string[]> {
  const db = openedDb(connection);
  const infos = await db.listCollections().toArray();
  const options = new Map(infos.map((info) => [info.name, (info as mongo.CollectionInfo).options ?? {}]));
  const missing = await Promise.all(
    schemas.map(async (schema) => {
      const name = nameOf(schema);
      const stored = options.get(name);
      if (!stored) return [`the collection ${name}`];
      const indexes = await findMissingIndexes(db, schema);
      return [
        ...(rules === 'any' || hasRules(stored, schema) ? [] : [`the rules of ${name}`]),
        ...indexes.map((index) => `the index ${indexName(index)} of ${name}`),
      ];
    }),
  );
  return missing.flat();
}

/** A schema, no matter for which type of document. */
export type AnySchema = Pick<Schema, 'get' | 'indexes' | 'toJSONSchema'> & {
  eachPath: (visit: (path: string, type: SchemaType) => void) => unknown;
};

/**
 * Returns the options with which a collection is created. The validation level is moderate, so a document from an earlier release
 * can still be changed, even if it violates newer validation.
 */
export const rulesOf = (schema: AnySchema) =>
  ({ validator: { $jsonSchema: jsonSchemaOf(schema) }, validationLevel: 'moderate' }) as const;

async function completeCollection(db: mongo.Db, schema: AnySchema): Promise<void> {
  await createCollection(db, schema);
  await createIndexes(db, nameOf(schema), await findMissingIndexes(db, schema));
}

async function findMissingIndexes(db: mongo.Db, schema: AnySchema): Promise<mongo.IndexDescription[]> {
  const wanted = indexesOf(schema);
  if (wanted.length === 0) return [];
  const found = await db.collection(nameOf(schema)).listIndexes().toArray();
  return wanted.filter((index) => !found.some((each) => serves(each as mongo.IndexDescriptionInfo, index)));
}

async function prepareCollection(db: mongo.Db, schema: AnySchema): Promise<void> {
  const name = nameOf(schema);
  if (!(await createCollection(db, schema))) {
    const [stored] = await db.listCollections<mongo.CollectionInfo>({ name }).toArray();
    // Changes the validation only if it differs, because changing a collection waits for its transactions and aborts some of
    // them.
    if (!hasRules(stored?.options ?? {}, schema)) {
      const writeConcern = { w: 'majority', wtimeout: majorityWrites.wtimeoutMS };
      await db.command({ collMod: name, ...rulesOf(schema), writeConcern });
    }
  }
  await createIndexes(db, name, indexesOf(schema));
}

/** Creates a collection. Returns false if it already exists. */
async function createCollection(db: mongo.Db, schema: AnySchema): Promise<boolean> {
  try {
    await db.createCollection(nameOf(schema), { ...rulesOf(schema), writeConcern: majorityWrites });
    return true;
  } catch (error) {
    const namespaceExists = 48;
    if (error instanceof mongoose.mongo.MongoServerError && error.code === namespaceExists) return false;
    throw error;
  }
}

async function createIndexes(db: mongo.Db, name: string, indexes: mongo.IndexDescription[]): Promise<void> {
  if (indexes.length > 0) await db.collection(name).createIndexes(indexes);
}

type Options = mongo.CollectionInfo['options'];
const hasRules = ({ validator, validationLevel }: NonNullable<Options> = {}, schema: AnySchema): boolean =>
  isDeepStrictEqual({ validator, validationLevel }, rulesOf(schema));

const indexesOf = (schema: AnySchema): mongo.IndexDescription[] =>
  schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
/** Returns an index's name. If the index has none, returns the name that MongoDB would give it. */
const indexName = ({ name, key }: mongo.IndexDescription): string => name ?? Object.entries(key).flat().join('_');

/**
 * Returns true if the index that was found can serve the queries for the wanted index. Queries name their index, so the names
 * must be equal. A newer release may have changed the options, which must not stop this release. But a unique index must be
 * unique.
 */
function serves(found: mongo.IndexDescriptionInfo, wanted: mongo.IndexDescription): boolean {
  const keysOf = ({ key }: { key: unknown }): string => JSON.stringify(Object.entries(key as object));
  if (found.name !== indexName(wanted) || keysOf(found) !== keysOf(wanted)) return false;
  if (!wanted.unique) return true;
  const partOf = ({ partialFilterExpression = {} }: mongo.IndexDescription): object => partialFilterExpression;
  return found.unique === true && isDeepStrictEqual(partOf(found), partOf(wanted));
}

function openedDb({ db }: Connection): mongo.Db {
  if (!db) throw new Error('There is no connection.');
  return db;
}

function nameOf(schema: Pick<Schema, 'get'>): string {
  const name = schema.get('collection');
  if (name === undefined) throw new Error('The schema has no collection.');
  return name;
}

type JsonSchema = {
  bsonType?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/**
 * Creates the JSON Schema for a collection's documents. mongoose translates types, required fields and enums. Lengths (in Unicode
 * code points) and ranges are added here.
 */
function jsonSchemaOf(schema: AnySchema): JsonSchema {
  const json = schema.toJSONSchema({ useBsonType: true }) as JsonSchema;
  addLimits(json, schema);
  return json;
}

/** The options that mongoose translates. `auto` is mongoose's own option for an undeclared `_id`. */
const translated = new Set(['type', 'required', 'enum', 'allowNull', 'auto']);

function addLimits(json: JsonSchema, schema: AnySchema): void {
  schema.eachPath((path, type) => addLimitsOf(propertyAt(json, path), type));
}

function addLimitsOf(json: JsonSchema, type: SchemaType): void {
  const { maxlength, min, max, ...others } = type.options;
  const unknown = Object.keys(others).filter((option) => !translated.has(option));
  if (unknown.length > 0) throw new Error(`MongoDB cannot enforce the option ${unknown.join(', ')} of ${type.path}.`);
  if (typeof maxlength === 'number') json.maxLength = maxlength;
  if (typeof min === 'number') json.minimum = min;
  if (typeof max === 'number') json.maximum = max;

  const inside = json.items ?? json;
  // Without this, null would be valid in an array of documents, because mongoose allows it.
  if (json.items && type.schema) json.items.bsonType = 'object';
  if (type.schema) addLimits(inside, type.schema);
  const element = type.getEmbeddedSchemaType();
  if (element && !type.schema) addLimitsOf(inside, element);
}

function propertyAt(json: JsonSchema, path: string): JsonSchema {
  return path.split('.').reduce((node, name) => {
    const property = node.properties?.[name];
    if (!property) throw new Error(`mongoose has not translated ${path}.`);
    return property;
  }, json);
}
