import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@comanda/shared/api-docs/json-schema';

/**
 * How a schema is used. `sent`: earlier callers send it, so everything that was accepted must still be accepted. `answered`:
 * earlier callers read it, so nothing may be missing, and no new values may appear. `stored`: two releases share the documents,
 * so each release must understand the other's.
 */
export type Use = 'sent' | 'answered' | 'stored';
export type Components = Readonly<Record<string, JsonSchema>>;
/** The same item in the last release (`was`) and in the next one (`is`). */
export type Versions<T> = { was: T; is: T };
/** A field, such as `items[].status`, and a description of its change, such as `is gone: …`. */
export type Change = { member: string; what: string };

type Comparison = { use: Use; components: Versions<Components> };

/** Lists what breaks an earlier release if the schema changes from `was` to `is`. */
export function findSchemaBreaks({ was, is }: Versions<JsonSchema>, comparison: Comparison, member = ''): Change[] {
  const { use, components } = comparison;
  const earlier = variantsOf(was, components.was);
  const later = variantsOf(is, components.is);
  const compare = (pair: Versions<JsonSchema>): Change[] => findBreaksOfOne(pair, comparison, member);
  const inPairs = earlier.flatMap((each, index) => compare({ was: each, is: later[index] ?? {} }));
  if (earlier.length === later.length && (earlier.length === 1 || inPairs.length === 0)) return inPairs;
  const isCompatible = (pair: Versions<JsonSchema>): boolean => compare(pair).length === 0;
  const isAccepted = (each: JsonSchema): boolean => later.some((other) => isCompatible({ was: each, is: other }));
  const isKnown = (each: JsonSchema): boolean => earlier.some((other) => isCompatible({ was: other, is: each }));
  if (use === 'sent' ? earlier.every(isAccepted) : later.every(isKnown)) return [];
  if (earlier.length === later.length) return inPairs;
  const what = use === 'sent' ? 'no longer accepts one of its forms' : 'has a form that it could not have before';
  return [{ member, what }];
}

/** Returns the alternatives that a schema allows. */
function variantsOf(schema: JsonSchema, components: Components): JsonSchema[] {
  const { $ref, ...own } = schema;
  const whole = typeof $ref === 'string' ? { ...componentAt($ref, components), ...own } : own;
  const { oneOf, anyOf, ...rest } = whole as JsonSchema & { oneOf?: JsonSchema[] };
  const variants = oneOf ?? anyOf;
  return variants ? variants.flatMap((each) => variantsOf({ ...rest, ...each }, components)) : [rest];
}

function componentAt(ref: string, components: Components): JsonSchema {
  const component = components[ref.replace('#/components/schemas/', '')];
  if (!component) throw new Error(`There is no schema ${ref}.`);
  return component;
}

function findBreaksOfOne(versions: Versions<JsonSchema>, comparison: Comparison, member: string): Change[] {
  const { was, is } = versions;
  const what = [
    ...changesOfType(versions, comparison.use),
    ...changesOfValues(versions, comparison.use),
    ...(comparison.use === 'answered' ? [] : changesOfLimits(versions)),
  ];
  const items =
    was.items && is.items ? findSchemaBreaks({ was: was.items, is: is.items }, comparison, `${member}[]`) : [];
  return [...what.map((each) => ({ member, what: each })), ...findMemberBreaks(versions, comparison, member), ...items];
}

const typesOf = ({ type, bsonType }: JsonSchema): string[] => [type ?? (bsonType as JsonSchema['type']) ?? []].flat();
const nameOfTypes = (types: readonly string[]): string => (types.length === 0 ? 'anything' : types.join(' or '));

function changesOfType({ was, is }: Versions<JsonSchema>, use: Use): string[] {
  const [before, after] = [typesOf(was), typesOf(is)];
  const accepts = (types: readonly string[], others: readonly string[]): boolean =>
    types.length === 0 || (others.length > 0 && others.every((type) => includesType(types, type)));
  const narrowed = use !== 'answered' && !accepts(after, before);
  const widened = use !== 'sent' && !accepts(before, after);
  return narrowed || widened ? [`was ${nameOfTypes(before)} and is ${nameOfTypes(after)} now`] : [];
}
const includesType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** Returns the values that a schema lists, or undefined if it lists none. */
const valuesOf = ({ enum: listed, ...schema }: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : listed;

function changesOfValues({ was, is }: Versions<JsonSchema>, use: Use): string[] {
  const [before, after] = [valuesOf(was), valuesOf(is)];
  const text = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
  if (use === 'answered') {
    if (!before) return [];
    if (!after) return [`may be more than ${text(before)} now, and earlier readers know only these`];
    const added = after.filter((value) => !before.includes(value));
    return added.length > 0 ? [`may be ${text(added)} now, which earlier readers do not know`] : [];
  }
  if (!after) return [];
  if (!before) return [`accepts only ${text(after)} now`];
  const removed = before.filter((value) => !after.includes(value));
  return removed.length > 0 ? [`no longer accepts ${text(removed)}`] : [];
}

const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Keywords whose changes no rule can judge, because the new value may or may not accept everything that the old one did. */
const otherLimits = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'dependentRequired', 'additionalProperties'];

function changesOfLimits({ was, is }: Versions<JsonSchema>): string[] {
  const changed = (names: readonly string[], isNarrower: (before: number, after: number) => boolean): string[] =>
    names.flatMap((name) => {
      // A caller that had to send two fields has sent at least two, so a minimum of two is no stricter.
      const implied = name === 'minProperties' ? was.required?.length : undefined;
      const before = (was[name] as number | undefined) ?? implied;
      const after = is[name] as number | undefined;
      if (after === undefined || (before !== undefined && !isNarrower(before, after))) return [];
      return [`has the ${name} ${after} now, and had ${before === undefined ? 'none' : before}`];
    });
  const others = otherLimits.filter((name) => name in is && !isDeepStrictEqual(was[name], is[name]));
  return [
    ...changed(upperLimits, (before, after) => after < before),
    ...changed(lowerLimits, (before, after) => after > before),
    ...others.map((name) => `has another ${name}: what was accepted may be refused`),
  ];
}

const isGone: Readonly<Record<Use, string>> = {
  sent: 'is gone: a call that has it is refused',
  answered: 'is gone, and earlier readers rely on it',
  stored: 'is gone, and the last release reads it',
};

function findMemberBreaks({ was, is }: Versions<JsonSchema>, comparison: Comparison, member: string): Change[] {
  const { use } = comparison;
  const [before, after] = [was.properties ?? {}, is.properties ?? {}];
  const isRequired = (schema: JsonSchema, name: string): boolean => schema.required?.includes(name) ?? false;
  const pathTo = (name: string): string => (member === '' ? name : `${member}.${name}`);
  const changes: Change[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const add = (what: string): void => void changes.push({ member: pathTo(name), what });
    const [earlier, later] = [before[name], after[name]];
    // A schema that accepts unknown fields ignores a field that is gone.
    const isIgnored = use === 'sent' && is['additionalProperties'] !== false;
    if (earlier && !later && !isIgnored) add(isGone[use]);
    if (earlier && later) changes.push(...findSchemaBreaks({ was: earlier, is: later }, comparison, pathTo(name)));
    if (!later) continue;
    const [wasRequired, isRequiredNow] = [isRequired(was, name), isRequired(is, name)];
    if (use !== 'answered' && isRequiredNow && !wasRequired)
      add(`is required now, and ${use === 'sent' ? 'earlier callers need not send it' : 'earlier documents lack it'}`);
    if (use !== 'sent' && earlier && wasRequired && !isRequiredNow)
      add('may be missing now, and earlier readers rely on it');
  }
  return changes;
}
