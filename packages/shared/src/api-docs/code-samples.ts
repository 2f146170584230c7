import { isForBrowsers, type AnyEndpoint } from '@comanda/contracts/endpoint';
import { describe, exampleOf } from './json-schema.ts';

/** A code sample for `x-codeSamples`. */
type CodeSample = { lang: string; label: string; source: string };
type Json = Record<string, unknown>;
/** `query`: the required parameters; `search`: the same, as in a URL. */
type Example = { path: string; params: Json; query: Json; search: string; body: Json | undefined };

/** Returns the request for a call's code samples and examples: a path with example ids, its required query, and a body. */
export function exampleRequest(contract: AnyEndpoint): Example {
  const params = Object.fromEntries(
    Object.entries(contract.params ?? {}).map(([name, schema]) => [name, exampleOf(describe(schema), name)]),
  );
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = Object.fromEntries(
    Object.entries(contract.query ?? {})
      .filter(([, schema]) => schema.$_getFlag('presence') === 'required')
      .map(([name, schema]) => [name, exampleOf(describe(schema), name)]),
  );
  const named = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const search = named === '' ? '' : `?${named}`;
  return {
    path: path + search,
    params,
    query,
    search,
    body: contract.body && (exampleOf(describe(contract.body)) as Json),
  };
}

/**
 * Creates code samples for a call: in curl, in Python with Requests and, unless the call only returns a page, in TypeScript with
 * `@comanda/client`.
 */
export const codeSamples = (contract: AnyEndpoint, url: string): CodeSample[] => [
  { lang: 'shell', label: 'curl', source: curl(contract, url) },
  ...(isForBrowsers(contract) ? [] : [{ lang: 'typescript', label: 'TypeScript', source: typescript(contract, url) }]),
  { lang: 'python', label: 'Python', source: python(contract, url) },
];

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);
/** Quotes a string for a POSIX shell, with single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl(contract: AnyEndpoint, url: string): string {
  const { path, search, body } = exampleRequest(contract);
  const { method, who, idempotencyKey, stepUp, upload, responses } = contract;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${search === '' ? url + path : quoted(url + path)}`,
    ...(who === 'anyone' ? [] : ['-H "Authorization: Bearer $ACCESS_TOKEN"']),
    ...(idempotencyKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(stepUp ? ['-H "X-Step-Up-Token: $STEP_UP_TOKEN"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`] : []),
    ...(upload ? [`-H 'Content-Type: ${upload.types[0]}'`, '--data-binary @dish.jpg'] : []),
    ...(responses[200]?.file && isForBrowsers(contract) ? ['-o dish.webp'] : []),
  ].join(' \\\n  ');
}

/** Writes a value as TypeScript source: keys are unquoted where possible, and strings are in single quotes. */
function typescriptLiteral(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`;
  if (Array.isArray(value)) return list(value.map(typescriptLiteral), { open: '[', close: ']', indent: '  ' });
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, each]) => `${key}: ${typescriptLiteral(each)}`);
  return list(members, { open: '{ ', close: ' }', indent: '  ' });
}

/** Writes a list on one line if it is short, otherwise one item per line. */
function list(
  members: readonly string[],
  { open, close, indent }: { open: string; close: string; indent: string },
): string {
  const line = open + members.join(', ') + close;
  if (line.length <= 60 && !line.includes('\n')) return line;
  const lines = members.map((member) => `${indent}${indented(member, indent)},`);
  return [open.trim(), ...lines, close.trim()].join('\n');
}

function typescript(contract: AnyEndpoint, url: string): string {
  const { params, query, body } = exampleRequest(contract);
  const input = { ...params, ...query, ...body };
  const argument = contract.upload ? '{ file }' : Object.keys(input).length === 0 ? '' : typescriptLiteral(input);
  const noAnswer = Object.values(contract.responses).every((response) => response?.body === null);
  const call = `await client.calls.${contract.name}(${argument});`;
  const options = contract.stepUp
    ? `{\n  url: '${url}',\n  onConsent: async ({ call }) => ({ transaction_password: await askForPin(call) }),\n}`
    : `{ url: '${url}' }`;
  return [
    "import { createClient } from '@comanda/client';\n",
    `const client = createClient(${options});`,
    ...(contract.who === 'anyone' ? [] : ['await client.signIn({ email, password });']),
    ...(contract.upload ? [`const file = new Blob([bytes], { type: '${contract.upload.types[0]}' });`] : []),
    noAnswer ? call : `const answer = ${call}`,
  ].join('\n');
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return list(value.map(pythonLiteral), { open: '[', close: ']', indent: '    ' });
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${pythonLiteral(each)}`);
  return list(members, { open: '{', close: '}', indent: '    ' });
}

function python(contract: AnyEndpoint, url: string): string {
  const { path, body } = exampleRequest(contract);
  const { method, who, idempotencyKey, stepUp, upload } = contract;
  const headers = [
    ...(who === 'anyone' ? [] : [`"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}",`]),
    ...(idempotencyKey ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(stepUp ? [`"X-Step-Up-Token": os.environ["STEP_UP_TOKEN"],`] : []),
    ...(upload ? [`"Content-Type": "${upload.types[0]}",`] : []),
  ];
  const noAnswer = Object.values(contract.responses).every((response) => response?.body === null);
  const modules = [...(who === 'anyone' ? [] : ['import os']), ...(idempotencyKey ? ['import uuid'] : [])];
  return [
    ...(modules.length > 0 ? [...modules, ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}${path}",`,
    ...(headers.length > 0 ? [`    headers={\n        ${headers.join('\n        ')}\n    },`] : []),
    ...(body ? [`    json=${indented(pythonLiteral(body), '    ')},`] : []),
    ...(upload ? ['    data=open("dish.jpg", "rb"),'] : []),
    `    timeout=${upload ? 60 : 10},`,
    ')',
    'response.raise_for_status()',
    ...(noAnswer ? [] : ['print(response.json())']),
    ...(contract.responses[200]?.file && isForBrowsers(contract) ? ['print(len(response.content))'] : []),
  ].join('\n');
}
