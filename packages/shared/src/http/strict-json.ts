import { problem } from '@comanda/contracts/problems';
import type { Problem } from '@comanda/contracts/problems';
import { pointerTo } from './validate.ts';

const maxDepth = 32;
const refuse = (detail: string, pointer: string): Problem =>
  problem('malformed_json', { detail, ...(pointer && { errors: [{ pointer, detail }] }) });

/**
 * JSON as RFC 8259 means it and I-JSON [RFC 7493] limits it: UTF-8, no key twice, no `__proto__`, at most 32 deep.
 * Nothing of a value is repeated in the error.
 * @throws 400 `malformed_json`, with the pointer of the key
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse('The body is not UTF-8.', '');
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw refuse('The body is not JSON.', '');
  }
  checkKeys(source);
  return value;
}

type Level = { keys: Set<string> | null; name: string; index: number };

/** Walks the tokens of text that `JSON.parse` has taken; only strings and brackets matter. */
function checkKeys(source: string): void {
  const levels: Level[] = [];
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;
  let expectKey = false;
  for (const [token] of source.matchAll(tokens)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      if (levels.length >= maxDepth) throw refuse(`The body is more than ${maxDepth} levels deep.`, '');
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
      if (level.name === '__proto__') throw refuse('The key __proto__ is not taken.', pointerOf(levels));
      if (level.keys.has(level.name)) throw refuse('This key stands twice.', pointerOf(levels));
      level.keys.add(level.name);
      expectKey = false;
    }
  }
}

const pointerOf = (levels: readonly Level[]): string =>
  pointerTo(...levels.map(({ keys, name, index }) => (keys ? name : index)));
