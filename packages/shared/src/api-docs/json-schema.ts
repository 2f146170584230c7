import type Joi from 'joi';
import { titleCase } from '@comanda/contracts/problem-members';
import type { Documentation } from '@comanda/contracts/schema';

/** JSON Schema 2020-12, as OpenAPI 3.1 and AsyncAPI 3.0 take it. */
export type JsonSchema = {
  [keyword: string]: unknown;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  required?: string[];
};
/** Who writes it: what a client sends is taken to the letter, what it is answered may get more keys some day. */
export type Direction = 'sent' | 'answered';
export type Schemas = {
  /** `schema` in JSON Schema; what has a name becomes a component and a `$ref` to it. */
  of: (schema: Joi.AnySchema, direction: Direction) => JsonSchema;
  /** The named schemas met so far, by name. */
  components: Record<string, JsonSchema>;
};

/** What `schema.describe()` says, as far as it is read here. */
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
export const describe = (schema: Joi.AnySchema): Described => schema.describe() as Described;

/** Joi's own JSON Schema; its types do not know it yet. */
type Converter = { '~standard': { jsonSchema: { output: (options: { target: 'draft-2020-12' }) => JsonSchema } } };
const byJoi = (schema: Joi.AnySchema): JsonSchema =>
  (schema as unknown as Converter)['~standard'].jsonSchema.output({ target: 'draft-2020-12' });

/**
 * Joi's own JSON Schema, mended by what stands beside the rules in the contracts (`documented`, `named`,
 * `exactlyOneOf`): joi leaves out rules over several keys, custom rules, examples and names.
 */
export function createSchemas(): Schemas {
  const components: Record<string, JsonSchema> = {};

  function mend(described: Described, plain: JsonSchema, direction: Direction): JsonSchema {
    const { name, schema: more, exactlyOneOf } = documentationOf(described);
    refuseWhatIsLost(described);
    const { examples } = described;
    // A component is one for all of its uses; an example is of one.
    const mended = tidy({
      ...mendParts(described, plain, direction),
      ...more,
      ...(examples && name === undefined && { examples: examples.slice(-1) }),
    });
    if (direction === 'answered' && mended['additionalProperties'] === false) delete mended['additionalProperties'];
    const shown = exactlyOneOf ? { oneOf: variants(mended, { name, keys: exactlyOneOf }) } : mended;
    return name === undefined ? shown : component(name, shown);
  }

  function component(name: string, schema: JsonSchema): JsonSchema {
    const known = components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}, and they differ`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** An object for each of `keys`: it has that one, and not the others. */
  function variants(
    all: JsonSchema,
    { name, keys }: { name: string | undefined; keys: readonly string[] },
  ): JsonSchema[] {
    return keys.map((key) => {
      const isOther = (each: string): boolean => each !== key && keys.includes(each);
      const properties = Object.entries(all.properties ?? {}).filter(([each]) => !isOther(each));
      const variant = {
        ...all,
        properties: Object.fromEntries(properties),
        required: [...(all.required ?? []), key].toSorted(),
      };
      return name === undefined ? variant : component(`${name}By${titleCase(key)}`, variant);
    });
  }

  function mendParts(described: Described, plain: JsonSchema, direction: Direction): JsonSchema {
    const { properties = {}, items, anyOf = [] } = plain;
    const { keys, items: [item] = [], matches } = described;
    const part = (child: Described, of: JsonSchema | undefined): JsonSchema => mend(child, of ?? {}, direction);
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

  return { of: (schema, direction) => mend(describe(schema), byJoi(schema), direction), components };
}

const documentationOf = ({ metas = [] }: Described): Documentation => ({
  ...Object.assign({}, ...metas),
  schema: Object.assign({}, ...metas.map(({ schema }) => schema)),
});

/** A rule that joi's JSON Schema cannot say must be said beside it: what is not in the document is not promised. */
function refuseWhatIsLost(described: Described): void {
  const { schema, exactlyOneOf } = documentationOf(described);
  const lost = [
    ...(described.dependencies ? ['a rule over several keys'] : []),
    ...(described.whens ? ['a condition'] : []),
    ...(described.rules?.some(({ name }) => name === 'custom') ? ['a custom rule'] : []),
  ];
  if (lost.length > 0 && !exactlyOneOf && Object.keys(schema ?? {}).length === 0)
    throw new Error(`${lost.join(' and ')} of a ${described.type} is in no document: say it with documented()`);
}

/** `anyOf: [text, null]`, "more than 0" of an integer and one of one value in their shorter forms. */
function tidy(schema: JsonSchema): JsonSchema {
  if (schema.enum?.length === 1) {
    const { enum: [only] = [], ...others } = schema;
    return { ...others, const: only };
  }
  const { anyOf, exclusiveMinimum, ...rest } = schema;
  if (exclusiveMinimum === 0 && schema.type === 'integer') return { ...rest, minimum: 1 };
  const [first, second] = anyOf ?? [];
  if (anyOf?.length === 2 && second?.type === 'null' && typeof first?.type === 'string')
    return { ...rest, ...first, type: [first.type, 'null'], ...(first.enum && { enum: [...first.enum, null] }) };
  return schema;
}

/**
 * A value that the schema accepts: its own example, else one put together from those of its parts. `field` is what a
 * text without an example says.
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
