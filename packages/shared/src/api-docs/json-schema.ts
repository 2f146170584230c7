import type Joi from 'joi';
import { titleCase } from '@comanda/contracts/problem-members';
import type { Documentation } from '@comanda/contracts/schema';

/** JSON Schema 2020-12, which OpenAPI 3.1 and AsyncAPI 3.0 use. */
export type JsonSchema = {
  [keyword: string]: unknown;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  required?: string[];
};
type Variants = {
  name: string | undefined;
  keys: readonly string[];
  together: Documentation['together'];
};
/**
 * The direction of a message. A request (`sent`) with unknown keys is rejected, but later releases may add keys to a response
 * (`answered`).
 */
export type Direction = 'sent' | 'answered';
export type Schemas = {
  /** Converts a schema to JSON Schema. A named schema becomes a component, and the result is a `$ref` to that component. */
  of: (schema: Joi.AnySchema, direction: Direction) => JsonSchema;
  /** The named schemas that were converted so far, keyed by name. */
  components: Record<string, JsonSchema>;
};

/** The part of joi's `describe()` result that this module uses. */
export type Described = {
  type: string;
  flags?: { only?: boolean };
  metas?: Documentation[];
  examples?: unknown[];
  allow?: unknown[];
  rules?: { name: string; args?: { limit?: number; sign?: string } }[];
  dependencies?: unknown[];
  whens?: unknown[];
  keys?: Record<string, Described>;
  items?: Described[];
  matches?: { schema?: Described }[];
};
/**
 * A cache of schemas' descriptions. A schema never changes, and describing it again is slow, because joi validates each
 * description.
 */
const descriptions = new WeakMap<Joi.AnySchema, Described>();
export function describe(schema: Joi.AnySchema): Described {
  const known = descriptions.get(schema);
  if (known) return known;
  const described = schema.describe() as Described;
  descriptions.set(schema, described);
  return described;
}

/** Joi's own conversion to JSON Schema, which its types lack. */
type Converter = { '~standard': { jsonSchema: { output: (options: { target: 'draft-2020-12' }) => JsonSchema } } };
const byJoi = (schema: Joi.AnySchema): JsonSchema =>
  (schema as unknown as Converter)['~standard'].jsonSchema.output({ target: 'draft-2020-12' });

/**
 * Creates a converter. It starts with joi's own JSON Schema and adds what joi leaves out: rules across several keys, custom
 * rules, examples and names. The contracts declare these with `documented`, `component` and `exactlyOneOf`.
 */
export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {};

  function convert(described: Described, plain: JsonSchema, direction: Direction): JsonSchema {
    const { name, schema: more, exactlyOneOf, together } = documentationOf(described);
    checkNothingIsLost(described);
    const { examples } = described;
    // A component has no example of its own, because each place that uses the component has a different example.
    const converted = simplify({
      ...convertParts(described, plain, direction),
      ...more,
      ...(examples && name === undefined && { examples: examples.slice(-1) }),
    });
    leaveDateTimesToTheirFormat(converted);
    if (direction === 'answered') removeForClients(converted);
    if (isInteger(converted)) converted['format'] = formatOf(converted);
    const shown = exactlyOneOf ? { oneOf: variants(converted, { name, keys: exactlyOneOf, together }) } : converted;
    return name === undefined ? shown : component(name, shown);
  }

  function component(name: string, schema: JsonSchema): JsonSchema {
    const existing = components[name];
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`two different schemas are named ${name}`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * Creates one schema for each of `keys`, of which an object must have exactly one. Each schema has this key and the keys that
   * must accompany it, but none of the other `keys`.
   */
  function variants(all: JsonSchema, { name, keys, together = {} }: Variants): JsonSchema[] {
    const keyOf = (each: string): string | undefined => together[each] ?? keys.find((key) => key === each);
    const names = Object.keys(all.properties ?? {});
    return keys.map((key) => {
      const isOther = (each: string): boolean => keyOf(each) !== undefined && keyOf(each) !== key;
      const properties = Object.entries(all.properties ?? {}).filter(([each]) => !isOther(each));
      const variant = {
        ...all,
        properties: Object.fromEntries(properties),
        required: [...(all.required ?? []), ...names.filter((each) => keyOf(each) === key)].toSorted(),
      };
      return name === undefined ? variant : component(`${name}By${titleCase(key)}`, variant);
    });
  }

  function convertParts(described: Described, plain: JsonSchema, direction: Direction): JsonSchema {
    const { properties = {}, items, anyOf = [] } = plain;
    const { keys, items: [item] = [], matches } = described;
    const part = (child: Described, of: JsonSchema | undefined): JsonSchema => convert(child, of ?? {}, direction);
    return {
      ...plain,
      ...(keys && {
        properties: Object.fromEntries(Object.entries(keys).map(([key, child]) => [key, part(child, properties[key])])),
      }),
      ...(item && { items: part(item, items) }),
      ...(matches && {
        anyOf: matches.flatMap(({ schema }, at) => (schema ? [part(schema, anyOf[at])] : [])),
      }),
    };
  }

  return { of: (schema, direction) => convert(describe(schema), byJoi(schema), direction), components };
}

/**
 * Removes a `date-time`'s rules for strings, such as patterns. Generated clients convert a `date-time` to a date type, and the
 * Python code from openapi-generator fails to load if a date has such rules.
 */
function leaveDateTimesToTheirFormat(schema: JsonSchema): void {
  if (schema['format'] !== 'date-time') return;
  delete schema['pattern'];
  delete schema['minLength'];
}

/**
 * Removes rules that clients must not check in responses. Unknown keys become allowed, because later releases may add keys.
 * Patterns with \u are removed too: Go's regular expressions don't support them, so a generated client could not read such a
 * text.
 */
function removeForClients(schema: JsonSchema): void {
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (String(schema['pattern']).includes(String.raw`\u`)) delete schema['pattern'];
}

const isInteger = ({ type }: JsonSchema): boolean =>
  type === 'integer' || (Array.isArray(type) && type[0] === 'integer');
/** Returns the format for an integer. Without a format, generated clients use 32 bits, which may be too small for an id. */
const formatOf = ({ maximum, const: only, enum: some }: JsonSchema): 'int32' | 'int64' =>
  Number(only ?? some?.at(-1) ?? maximum ?? Infinity) <= 2 ** 31 - 1 ? 'int32' : 'int64';

const documentationOf = ({ metas = [] }: Described): Documentation => ({
  ...Object.assign({}, ...metas),
  schema: Object.assign({}, ...metas.map(({ schema }) => schema)),
});

/**
 * Checks that the conversion loses no rule.
 * @throws if joi's JSON Schema omits a rule that the contract does not document
 */
function checkNothingIsLost(described: Described): void {
  const { schema, exactlyOneOf } = documentationOf(described);
  const lost = [
    ...(described.dependencies ? ['a rule over several keys'] : []),
    ...(described.whens ? ['a condition'] : []),
    ...(described.rules?.some(({ name }) => name === 'custom') ? ['a custom rule'] : []),
  ];
  if (lost.length > 0 && !exactlyOneOf && Object.keys(schema ?? {}).length === 0)
    throw new Error(
      `${lost.join(' and ')} of a ${described.type} would be missing in the documents: describe it with documented()`,
    );
}

/** Shortens joi's output for a text that may be null, a positive integer, an enum with one value and an enum of integers. */
function simplify(schema: JsonSchema): JsonSchema {
  if (schema.enum?.length === 1) {
    const { enum: [only] = [], ...others } = schema;
    return { ...others, ...(Number.isInteger(only) && { type: 'integer' }), const: only };
  }
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) return { ...schema, type: 'integer' };
  const { anyOf, exclusiveMinimum, ...rest } = schema;
  if (exclusiveMinimum === 0 && schema.type === 'integer') return { ...rest, minimum: 1 };
  const [first, second] = anyOf ?? [];
  if (anyOf?.length === 2 && second?.type === 'null' && typeof first?.type === 'string')
    return { ...rest, ...first, type: [first.type, 'null'], ...(first.enum && { enum: [...first.enum, null] }) };
  return schema;
}

/**
 * Returns a value that the schema accepts: the schema's own example, or an example composed of its fields' examples. A text
 * without an example gets the value `field`.
 */
export function exampleOf(described: Described, field = 'text'): unknown {
  const { examples, flags, allow, keys, items, matches, rules = [] } = described;
  if (examples) return examples.at(-1);
  if (flags?.only) return allow?.[0];
  if (keys) return Object.fromEntries(Object.entries(keys).map(([key, child]) => [key, exampleOf(child, key)]));
  if (items?.[0]) return [exampleOf(items[0], field)];
  const first = matches?.find(({ schema }) => schema)?.schema;
  if (first) return exampleOf(first, field);
  if (described.type === 'boolean') return true;
  if (described.type === 'number') return rules.find(({ name }) => name === 'min')?.args?.limit ?? 1;
  return described.type === 'string' ? field : {};
}
