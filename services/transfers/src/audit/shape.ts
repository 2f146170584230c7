/** A rule for a stored field. `what` describes a valid value in messages. */
type Field = { is: (value: unknown) => boolean; what: string; isOptional?: true };
/** The rules for a document's fields, by name. */
export type Shape = Readonly<Record<string, Field | { list: Shape; length?: number }>>;

export const field = (what: string, is: (value: unknown) => boolean): Field => ({ is, what });
export const optional = (each: Field): Field => ({ ...each, isOptional: true });
export const nullable = (each: Field): Field => ({
  is: (value) => value === null || each.is(value),
  what: `${each.what} or null`,
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The number of the shapes in `stored-shapes.ts`. If a release changes the shapes, it stores a higher number in each document's
 * `shape`.
 */
const knownShape = 1;
/** Returns true if a document claims to come from a newer release. Such a document is never reported as verified. */
export const isOfNewerRelease = (value: unknown): boolean =>
  isObject(value) && Number.isSafeInteger(value['shape']) && Number(value['shape']) > knownShape;
/** What is reported about a document from a newer release. */
export const ofNewerRelease = 'it is newer than this program, which cannot verify it';

/**
 * Returns the differences between `value` and `shape`: missing fields, unknown fields and wrong types. Empty if there are none.
 */
export function shapeDefects(value: unknown, shape: Shape, path = ''): string[] {
  if (!isObject(value)) return [`its ${path.slice(0, -1)} is not an object`];
  if (path === '' && isOfNewerRelease(value)) return [ofNewerRelease];
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  return [
    ...unknown.map((name) => `it has an unknown field, ${path}${name}`),
    ...Object.entries(shape).flatMap(([name, expected]) => fieldDefects(value[name], expected, path + name)),
  ];
}

function fieldDefects(value: unknown, expected: Shape[string], path: string): string[] {
  if ('list' in expected) {
    if (!Array.isArray(value)) return [`its ${path} is not a list`];
    const { length, list } = expected;
    if (length !== undefined && value.length !== length) return [`it has ${value.length} ${path}, not ${length}`];
    return value.flatMap((item, index) => shapeDefects(item, list, `${path}.${index}.`));
  }
  if (value === undefined) return expected.isOptional ? [] : [`it has no ${path}`];
  return expected.is(value) ? [] : [`its ${path} is not ${expected.what}`];
}
