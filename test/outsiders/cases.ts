import { createPublicKey, generateKeyPairSync, type webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKey } from '@comanda/shared/http/key-set';
import { readSigned } from '@comanda/shared/http/token-verifier';
import { readStatement, signStatement } from '@comanda/shared/crypto/statement';

/** The number of test cases, and a description of each case whose result violates its authors' rules or our contracts. */
type Verdict = { cases: number; failures: string[] };
type Poster = { gatewayUrl: string; token: string };

const linesOf = <T>(file: string): T[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

type Sent = { method: string; token: string; body: string | Uint8Array<ArrayBuffer> };
/** Sends a body that may not be valid JSON. Retries the call while the service is too busy to check the body. */
async function send(url: string, { method, token, body }: Sent): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { method, headers, body });
    if (response.status !== 503 || attempt === 20) return response;
    await response.arrayBuffer();
  }
}

type JsonFile = { name: string } & ({ base64: string } | { repeated: string; times: number; end: string });
const bytesOf = (file: JsonFile): Buffer =>
  'base64' in file ? Buffer.from(file.base64, 'base64') : Buffer.from(file.repeated.repeat(file.times) + file.end);
/**
 * These files are valid JSON, but keys that occur twice are rejected on purpose, because two parsers may use different values.
 */
const refusedOnPurpose = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);

/**
 * Sends each file as the body of a call. A file with invalid JSON (`n_`) must be rejected as such. A file with valid JSON (`y_`)
 * must be parsed, and then rejected because of its content. For other files (`i_`), both results are correct. No file may cause
 * an internal error.
 */
export async function tryJsonFiles({ gatewayUrl, token }: Poster): Promise<Verdict> {
  const files = linesOf<JsonFile>('json-test-suite.jsonl');
  const failures: string[] = [];
  for (const file of files) {
    const response = await send(`${gatewayUrl}/orders`, { method: 'POST', token, body: new Uint8Array(bytesOf(file)) });
    const { code } = (await response.json()) as { code: string };
    const isNoJson = code === 'malformed_json' || code === 'body_too_large';
    const isRead = code === 'validation_failed';
    const isFine = { n: isNoJson, y: isRead, i: isNoJson || isRead }[file.name[0] ?? ''] ?? false;
    if (isFine === refusedOnPurpose.has(file.name)) failures.push(`${file.name}: ${response.status} ${code}`);
  }
  return { cases: files.length, failures };
}

type Answered = { status: number; body: { id: number; items: { remarks: string }[]; code?: string } };
/** How many texts are sent in one order: the highest number of items that an order may have. */
const atOnce = 50;

/** Orders a dish with each text as a remark. The text must be stored and returned unchanged, or rejected with a problem. */
export async function tryTexts({ gatewayUrl, token }: Poster, dish: number): Promise<Verdict> {
  const call = async (method: string, path: string, body: object): Promise<Answered> => {
    const response = await send(gatewayUrl + path, { method, token, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Answered['body'] };
  };
  async function order(texts: readonly string[]): Promise<string[]> {
    const items = texts.map((remarks) => ({ item_id: dish, quantity: 1, remarks }));
    const { status, body } = await call('POST', '/orders', { items });
    if (status === 201) {
      await call('PUT', `/orders/${body.id}`, { status: 'cancelled' });
      return texts
        .filter((text, index) => body.items[index]?.remarks !== text)
        .map((text) => `${JSON.stringify(text)} was changed`);
    }
    if (status !== 400 || body.code !== 'validation_failed')
      return [`${JSON.stringify(texts)}: ${status} ${body.code}`];
    // One rejected text makes the whole order fail, so each text is tried again in an order of its own.
    return texts.length === 1 ? [] : (await Promise.all(texts.map((text) => order([text])))).flat();
  }
  const texts = linesOf<string>('naughty-strings.jsonl');
  const failures: string[] = [];
  for (let first = 0; first < texts.length; first += atOnce)
    failures.push(...(await order(texts.slice(first, first + atOnce))));
  return { cases: texts.length, failures };
}

type Vector = {
  tcId: number;
  comment: string;
  key: webcrypto.JsonWebKey & { kid?: string };
  jws: string;
  result: string;
};

/**
 * Checks each test vector's signature as an access token, with the vector's key. Also checks that no invalid signature makes one
 * of our receipts valid.
 */
export function trySignatures(): Verdict {
  const vectors = linesOf<Vector>('wycheproof-es256.jsonl');
  const failures: string[] = [];
  for (const { tcId, comment, key, jws, result } of vectors) {
    const [read] = readKey({ kid: 'any', ...key }, 'tokens');
    const isValid = read !== undefined && isSigned(jws, read[1]);
    if (isValid !== (result === 'valid'))
      failures.push(`${tcId} ${comment}: a token is ${isValid ? 'valid' : 'refused'}`);
    const signature = jws.split('.')[2] ?? '';
    if (result !== 'valid' && isReceipt(key, signature)) failures.push(`${tcId} ${comment}: a receipt is valid`);
  }
  return { cases: vectors.length, failures };
}

function isSigned(token: string, key: ReturnType<typeof createPublicKey>): boolean {
  try {
    readSigned(token, key, Date.now());
    return true;
  } catch {
    return false;
  }
}

/** Returns true if this signature is accepted for a receipt that `key` has never signed. */
function isReceipt(key: webcrypto.JsonWebKey, signature: string): boolean {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [head, body] = signStatement({ amount: '1.00' }, 'receipt+jws', { kid: 'any', privateKey }).split('.');
  const keys = new Map([['any', createPublicKey({ key, format: 'jwk' })]]);
  return readStatement(`${head}.${body}.${signature}`, 'receipt+jws', keys) !== null;
}
