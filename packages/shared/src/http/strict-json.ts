import { problem, type Problem } from '@comanda/contracts/problem';
import { maxJsonDepth } from '@comanda/contracts/rules';
import { pointerTo } from './validate.ts';

const refuse = (detail: string, pointer: string): Problem =>
  problem('malformed_json', { detail, ...(pointer && { errors: [{ pointer, detail }] }) });

/**
 * Parses JSON [RFC 8259] with the limits of I-JSON [RFC 7493]: UTF-8, no duplicate keys. In addition, rejects the key `__proto__`
 * and more than `maxJsonDepth` levels. Errors do not repeat values.
 * @throws 400 `malformed_json`, with a pointer to the key
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse('The body must be UTF-8.', '');
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw refuse('The body must be JSON.', '');
  }
  checkKeys(source);
  return value;
}

type Level = { keys: Set<string> | null; name: string; index: number };

/** Checks keys and depth by reading the tokens of JSON that is known to be valid. Only strings, brackets and commas matter. */
function checkKeys(source: string): void {
  const levels: Level[] = [];
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;
  let expectKey = false;
  for (const token of source.match(tokens) ?? []) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (levels.length >= maxJsonDepth) throw refuse(`The body must be at most ${maxJsonDepth} levels deep.`, '');
      levels.push({ keys: token === '{' ? new Set() : null, name: '', index: 0 });
      expectKey = token === '{';
    } else if (token === '}' || token === ']') {
      levels.pop();
      expectKey = false;
    } else if (token === ',') {
      if (level && !level.keys) level.index++;
      expectKey = level?.keys !== null;
    } else if (expectKey && level?.keys) {
      level.name = JSON.parse(token) as string;
      if (level.name === '__proto__') throw refuse('The key __proto__ is not allowed.', pointerOf(levels));
      if (level.keys.has(level.name)) throw refuse('This key occurs more than once.', pointerOf(levels));
      level.keys.add(level.name);
      expectKey = false;
    }
  }
}

const pointerOf = (levels: readonly Level[]): string =>
  pointerTo(...levels.map(({ keys, name, index }) => (keys ? name : index)));
