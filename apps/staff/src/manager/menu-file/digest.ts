import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the canonical JSON [RFC 8785] of data that has only texts, integers, booleans, nulls, lists and objects. The package
 * `canonicalize` needs a newer browser than ours (`String.prototype.isWellFormed`).
 */
function canonicalJson(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(canonicalJson).join()}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const members = Object.entries(data)
    .filter(([, value]) => value !== undefined)
    // The RFC sorts by UTF-16 code units, as comparing texts does.
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`);
  return `{${members.join()}}`;
}

/** Returns the SHA-256 of data as canonical JSON, in hexadecimal. `crypto.subtle` is missing on pages without TLS. */
export const canonicalDigest = (data: unknown): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(data))));
