import { createPublicKey, generateKeyPairSync, type webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKey } from '@comanda/shared/http/key-set';
import { readSigned } from '@comanda/shared/http/token-verifier';
import { readStatement, signStatement } from '@comanda/shared/crypto/statement';

/** The number of cases, and those whose outcome violates their authors' rules or our contracts. */
type Verdict = { cases: number; failures: string[] };
type Poster = { gatewayUrl: string; token: string };

const linesOf = <T>(file: string): T[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

type Sent = { method: string; token: string; body: string | Uint8Array<ArrayBuffer> };
/** Sends a body that is JSON or looks like it. Retries the call if the service is too busy to judge the body. */
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
/** Repeated names are rejected on purpose, because two parsers may use different values. */
const refusedOnPurpose = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json']);

/**
 * Sends each file as a call's body. Invalid JSON (`n_`) must be rejected as such. Valid JSON (`y_`) must be parsed and rejected
 * for its content. For `i_` files, both are fine. No file may cause an internal error.
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
/** The maximum number of items in an order. */
const atOnce = 50;

/** Sends each text as a dish's notes. It must either be stored and returned unchanged, or be rejected with a problem. */
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
    // One rejected text causes the rejection of its whole order.
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
 * Sends each signature as a token to the endpoint that verifies tokens, with its key. Also checks each invalid signature on one
 * of our receipts.
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

/** Returns true if this signature makes a receipt valid that its key never signed. */
function isReceipt(key: webcrypto.JsonWebKey, signature: string): boolean {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [head, body] = signStatement({ amount: '1.00' }, 'receipt+jws', { kid: 'any', privateKey }).split('.');
  const keys = new Map([['any', createPublicKey({ key, format: 'jwk' })]]);
  return readStatement(`${head}.${body}.${signature}`, 'receipt+jws', keys) !== null;
}
