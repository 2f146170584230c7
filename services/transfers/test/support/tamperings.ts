import { budget } from '@comanda/testing/budget';
import mongoose from 'mongoose';

export type Documents = Record<string, unknown>[];
/** A change that an attacker with write access could make to a collection. */
export type Tampering = { name: string; collection: string; apply: (documents: Documents) => Documents };
/** A document to tamper with. `label`: its name in messages. */
export type Sample = {
  label: string;
  index: number;
  /** The fields to change. By default, all of them. */ fields?: readonly string[];
};

const { Binary, Decimal128, Double, Int32, Long, Timestamp } = mongoose.mongo;
type Change = { kind: string; change: (value: unknown) => unknown };

/**
 * Returns all tamperings with a collection. Changes each field of each sample, and deletes, duplicates, adds and swaps documents.
 * In the long form (see `budget`), also removes fields, gives them every other type, and shortens, extends and reorders lists.
 * Derives the tamperings from the documents, so that new fields are included. `documents` must contain the database's types, not
 * JavaScript's.
 */
export function tamperingsOf(collection: string, documents: Documents, samples: readonly Sample[]): Tampering[] {
  return [
    ...samples.flatMap((sample) => withSample(collection, documents, sample)),
    { name: `${collection}: a document added`, collection, apply: (all) => [...all, { _id: new Int32(4_000_000) }] },
  ];
}

function withSample(collection: string, documents: Documents, { label, index, fields: only }: Sample): Tampering[] {
  const document = documents[index];
  if (!document) throw new Error(`there is no ${label}`);
  const tampering = (what: string, apply: Tampering['apply']): Tampering => ({
    name: `${collection} (${label}): ${what}`,
    collection,
    apply,
  });
  const replacing = (changed: Record<string, unknown>) => (all: Documents) => all.toSpliced(index, 1, changed);
  const paths = pathsOf(document).filter(([name]) => only?.includes(String(name)) ?? true);
  const fields = paths.flatMap((path) =>
    changesOf(valueAt(document, path)).map(({ kind, change }) =>
      tampering(`${path.join('.')} ${kind}`, replacing(withValue(document, path, change) as Record<string, unknown>)),
    ),
  );
  const other = (index + 1) % documents.length;
  return [
    ...fields,
    tampering('unknown field added', replacing({ ...document, unknown: 'x' })),
    tampering('unknown field added, which says that it is newer', replacing({ ...document, shape: new Int32(2) })),
    tampering(
      'unknown field added, which every object has',
      replacing({ ...document, toString: 'x', constructor: 'x' }),
    ),
    tampering('deleted', (all) => all.toSpliced(index, 1)),
    tampering('doubled', (all) => [...all, { ...document, _id: otherId(document['_id']) }]),
    ...(documents.length > 1
      ? [
          tampering('exchanged with another', (all) =>
            all
              .with(index, { ...all[index], _id: all[other]?.['_id'] })
              .with(other, { ...all[other], _id: all[index]?.['_id'] }),
          ),
        ]
      : []),
  ];
}

const otherId = (id: unknown): unknown => (typeof id === 'string' ? `${id} again` : new Int32(5_000_000));

type Path = readonly (string | number)[];
const bsonTypes = [Binary, Decimal128, Double, Int32, Long, Timestamp];
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ![Date, ...bsonTypes].some((type) => value instanceof type);

/**
 * Returns the paths of all fields at every depth, but only in the first two items of each list. The waiting events (`outbox`) are
 * one field.
 */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (path[0] === 'outbox') return own;
  if (Array.isArray(value))
    return [...own, ...value.slice(0, 2).flatMap((item, index) => pathsOf(item, [...path, index]))];
  if (!isPlainObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([name, item]) => pathsOf(item, [...path, name]))];
}
const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((each: unknown, name) => (each as Record<string | number, unknown>)[name], value);

const removed = Symbol('removed');
function withValue(value: unknown, [name, ...rest]: Path, change: Change['change']): unknown {
  if (name === undefined) return change(value);
  const inner = withValue((value as Record<string | number, unknown>)[name], rest, change);
  if (Array.isArray(value))
    return inner === removed ? value.toSpliced(Number(name), 1) : value.with(Number(name), inner);
  const { [name]: _old, ...others } = value as Record<string, unknown>;
  return inner === removed ? others : { ...(value as object), [name]: inner };
}

const to = (kind: string, value: unknown): Change => ({ kind, change: () => value });

/**
 * Returns changes to a value: to other values of the same type, and to one value of each other type. The short form returns only
 * the first.
 */
function changesOf(value: unknown): Change[] {
  const changes = [...sameTypeChanges(value), ...otherTypeChanges(value)];
  return budget(changes.slice(0, 1), [to('removed', removed), ...changes]);
}

function sameTypeChanges(value: unknown): Change[] {
  if (value instanceof Int32)
    return [to('changed', new Int32(value.value + 1)), to('lowered', new Int32(value.value - 1))];
  if (value instanceof Timestamp)
    return [to('changed', new Timestamp(value.toBigInt() + 1n)), to('lowered', new Timestamp(1n))];
  if (value instanceof Long)
    return [to('changed', value.add(1)), ...(value.isZero() ? [] : [to('negated', value.negate())])];
  if (value instanceof Date) return [to('changed', new Date(value.getTime() + 1))];
  if (typeof value === 'string')
    return [
      to('changed', `${value.startsWith('x') ? 'y' : 'x'}${value.slice(1)}`),
      to('with another end', `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`),
    ];
  if (Array.isArray(value))
    return [
      to('emptied', []),
      to('extended', [...(value as unknown[]), null]),
      ...(value.length > 0
        ? [to('with the last item doubled', [...(value as unknown[]), value.at(-1) as unknown])]
        : []),
      ...(value.length > 1 ? [to('reversed', value.toReversed())] : []),
    ];
  return [];
}

/** Returns the value of a number; null for other types. Excludes timestamps, which are instances of `Long` in the driver. */
function numberOf(value: unknown): number | null {
  if (value instanceof Int32) return value.value;
  return value instanceof Long && !(value instanceof Timestamp) ? value.toNumber() : null;
}

function otherTypeChanges(value: unknown): Change[] {
  const number = numberOf(value);
  return [
    ...(value === null ? [] : [to('as null', null)]),
    ...(number === null
      ? [to('as a number', new Int32(1))]
      : [
          to('as a string', String(number)),
          to('as a decimal', Decimal128.fromString(String(number))),
          ...(value instanceof Int32
            ? [to('as 64 bits', Long.fromNumber(number)), to('as an equal double', new Double(number))]
            : [to('as 32 bits', new Int32(number)), to('as a double', new Double(number))]),
          to('as a fraction', new Double(number + 0.5)),
        ]),
    ...(value instanceof Date ? [to('as a string', value.toISOString())] : []),
    ...(value instanceof Timestamp ? [to('as a date', new Date(0))] : []),
    ...(Array.isArray(value)
      ? [to('as an object', Object.fromEntries((value as unknown[]).entries()))]
      : [to('as a list', [value])]),
  ];
}
