import { isDeepStrictEqual } from 'node:util';
import mongoose, {
  type Connection,
  type mongo,
  type Schema,
  type SchemaDefinitionProperty,
  type SchemaType,
} from 'mongoose';
import { majorityWrites } from './connection.ts';

/** Every member of the documents is declared, also the optional ones. */
type Fields<D> = { [K in keyof Required<D>]: NonNullable<SchemaDefinitionProperty<Required<D>[K]>> };

/**
 * The schema of a collection: the rules and the indexes of its documents. MongoDB enforces the rules for every writer.
 * A member that is `required` is never null. There are no defaults: nothing but `prepareCollections` reads the schema.
 */
export const collectionSchema = <D>(collection: string, fields: Fields<D>): Schema<D> =>
  new mongoose.Schema<D>(fields as never, { collection });

/** The schema of documents inside other documents. They have no `_id`. */
export const embeddedSchema = <D>(fields: Fields<D>): Schema<D> =>
  new mongoose.Schema<D>(fields as never, { _id: false });

/** The driver's collection: its reads return plain objects, and MongoDB checks its writes. */
export const collectionOf = <D extends mongo.Document>(
  connection: Connection,
  schema: Schema<D>,
): mongo.Collection<D> => connection.collection(nameOf(schema)) as unknown as mongo.Collection<D>;

/**
 * Creates collections, or changes their rules to those of their schemas, and creates the missing indexes. It may be
 * repeated, also by several instances at the same time; indexes of no schema are kept.
 */
export async function prepareCollections(connection: Connection, schemas: readonly AnySchema[]): Promise<void> {
  await Promise.all(schemas.map((schema) => prepareCollection(connection, schema)));
}

/** A schema of whatever documents. */
type AnySchema = Pick<Schema, 'get' | 'indexes' | 'toJSONSchema'> & {
  eachPath: (visit: (path: string, type: SchemaType) => void) => unknown;
};

/**
 * The options with which a collection is created. Moderate: a document that an earlier release has stored can still be
 * changed, even if it breaks a newer rule.
 */
export const rulesOf = (schema: AnySchema) =>
  ({ validator: { $jsonSchema: jsonSchemaOf(schema) }, validationLevel: 'moderate' }) as const;

async function prepareCollection({ db }: Connection, schema: AnySchema): Promise<void> {
  if (!db) throw new Error('There is no connection.');
  const name = nameOf(schema);
  const rules = rulesOf(schema);
  await db.createCollection(name, { ...rules, writeConcern: majorityWrites }).catch(ignoreExisting);
  const [stored] = await db.listCollections<mongo.CollectionInfo>({ name }).toArray();
  const { validator, validationLevel } = stored?.options ?? {};
  // Only if they differ: the change of a collection waits for its transactions, and aborts some of them.
  if (!isDeepStrictEqual({ validator, validationLevel }, rules))
    await db.command({ collMod: name, ...rules, writeConcern: { w: 'majority', wtimeout: majorityWrites.wtimeoutMS } });

  const indexes = schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
  if (indexes.length > 0) await db.collection(name).createIndexes(indexes);
}

function nameOf(schema: Pick<Schema, 'get'>): string {
  const name = schema.get('collection');
  if (name === undefined) throw new Error('The schema has no collection.');
  return name;
}

function ignoreExisting(error: unknown): void {
  const namespaceExists = 48;
  if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== namespaceExists) throw error;
}

type JsonSchema = {
  bsonType?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** mongoose translates types, required members and enums. Lengths (in Unicode code points) and ranges are added here. */
function jsonSchemaOf(schema: AnySchema): JsonSchema {
  const json = schema.toJSONSchema({ useBsonType: true }) as JsonSchema;
  addLimits(json, schema);
  return json;
}

/** `auto` is what mongoose itself says of an `_id` that is not declared. */
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
  // mongoose allows null among the documents of an array.
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
