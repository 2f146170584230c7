import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';

/** Texts in which to search for secrets, keyed by where they come from. Bytes were decoded as latin1. */
export type SearchedTexts = Record<string, string>;

/** Returns everything that is stored in these databases: names, values, and the bytes of each document. */
export async function textOfDatabases(databases: readonly Db[]): Promise<string> {
  const all = await Promise.all(
    databases.map(async (database) => {
      const collections = await database.listCollections().toArray();
      return Promise.all(
        collections.map(async ({ name }) => {
          const written = await database.collection(name).find({}, { raw: true }).toArray();
          const read = await database.collection(name).find().toArray();
          return [
            name,
            JSON.stringify(read),
            ...written.map((bytes) => (bytes as unknown as Buffer).toString('latin1')),
          ];
        }),
      );
    }),
  );
  return all.flat(2).join('\n');
}

/** Returns all Redis keys that start with `prefix`, together with their values. `redis` must be a client without a key prefix. */
export async function textOfKeys(redis: Redis, prefix: string): Promise<string> {
  const keys = await redis.keys(`${prefix}*`);
  const values = await Promise.all(keys.map((key) => valueOf(redis, key)));
  return keys.map((key, index) => `${key} ${values[index]}`).join('\n');
}
async function valueOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  if (type === 'string') return (await redis.get(key)) ?? '';
  if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
  if (type === 'zset') return JSON.stringify(await redis.zrange(key, '0', '-1', 'WITHSCORES'));
  if (type === 'none') return ''; // The key has expired in the meantime.
  throw new Error(`this test cannot read the Redis type ${type} (key ${key})`);
}

/**
 * Returns where these secrets occur in `texts`: the source, the form, and the text around it. For a token, searches for the
 * token's signature. For a PIN, also searches for its usual encodings and hashes. Digits inside a longer word don't count as a
 * PIN.
 */
export function findSecrets(
  texts: SearchedTexts,
  { pins, tokens }: { pins: readonly string[]; tokens: readonly string[] },
) {
  const forms: [string, RegExp][] = [
    ...pins.flatMap((pin) => formsOfPin(pin)),
    ...tokens.map((token): [string, RegExp] => ['a token', new RegExp(escapeRegExp(token.split('.').at(-1) ?? ''))]),
  ];
  return Object.entries(texts).flatMap(([source, text]) =>
    forms.flatMap(([form, pattern]) => {
      const at = text.search(pattern);
      return at < 0 ? [] : [`${source}: ${form}, in ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 40))}`];
    }),
  );
}

const escapeRegExp = (text: string): string => text.replaceAll(/[^\w-]/g, String.raw`\$&`);
const asWord = (text: string): RegExp => new RegExp(`(?<![\\w.-])${text}(?![\\w-])`);

function formsOfPin(pin: string): [string, RegExp][] {
  const hashed = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm): [string, RegExp][] =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) => [
      `its ${algorithm} in ${encoding}`,
      new RegExp(escapeRegExp(createHash(algorithm).update(pin).digest(encoding))),
    ]),
  );
  return [
    ['a PIN', asWord(pin)],
    ['a PIN in base64', asWord(Buffer.from(pin).toString('base64'))],
    ['a PIN in hex', asWord(Buffer.from(pin).toString('hex'))],
    ...hashed,
  ];
}
