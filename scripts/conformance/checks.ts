import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { comandaDir, root } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { tryJsonFiles, trySignatures, tryTexts, type Verdict } from '../../test/outsiders/cases.ts';
import { demoPassword, emailOf, newCustomerToken, pin, tokenOf, type Role } from './stack.ts';
import type { Tools } from './tools.ts';

/** `tried` and `other`: how many cases there were, and how many had another outcome than they should. */
export type Result = { passed: boolean; report: string; tried?: number; other?: number };
export type Check = (url: string, tools: Tools) => Promise<Result>;

const outDir = join(comandaDir, 'conformance', 'out');
const here = import.meta.dirname;

/** Creates an empty folder of this name. */
function emptyFolder(name: string): string {
  const folder = join(outDir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

export const redocly: Check = async (url) => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = await textOf(`${url}/openapi.json`);
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const report = found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`).join('\n');
  const errors = found.filter(({ severity }) => severity === 'error').length;
  return { passed: errors === 0, report, other: errors };
};

type Diagnostic = { severity: number; code: string; message: string };
type Parser = new () => { parse: (source: string) => Promise<{ document?: unknown; diagnostics: Diagnostic[] }> };

export const asyncApiParser: Check = async (url, { nodeDir }) => {
  const module = pathToFileURL(join(nodeDir, 'node_modules/@asyncapi/parser/cjs/index.js')).href;
  const { Parser } = (await import(module)) as { Parser: Parser };
  const { document, diagnostics } = await new Parser().parse(await textOf(`${url}/asyncapi.json`));
  // 0: error, 1: warning, 2 and 3: hints
  const found = diagnostics.filter(({ severity }) => severity <= 1);
  const report = found.map(({ code, message }) => `${code}: ${message}`).join('\n');
  return { passed: document !== undefined && found.length === 0, report, other: found.length };
};

const typedProgram = `import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const { COMANDA_URL = '', COMANDA_EMAIL = '', COMANDA_PASSWORD = '' } = process.env;
const api = createClient<paths>({ baseUrl: COMANDA_URL });
const { data: pair, error } = await api.POST('/auth/login', { body: { email: COMANDA_EMAIL, password: COMANDA_PASSWORD } });
if (!pair) throw new Error(error.code);
const { data: menu = [] } = await api.GET('/menu');
const { data: order, error: problem } = await api.POST('/orders', {
  headers: { Authorization: \`Bearer \${pair.access_token}\` },
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { items: [{ item_id: menu[0]!.id, quantity: 2 }], table: '12' },
});
if (!order) throw new Error(problem.code === 'menu_item_unknown' ? JSON.stringify(problem.items) : problem.code);
console.log(\`order \${order.id}: \${order.status}, \${order.total} \${order.currency}\`);
`;
const asCustomer = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  COMANDA_URL: url,
  COMANDA_EMAIL: emailOf('customer'),
  COMANDA_PASSWORD: demoPassword,
});

/** Runs the commands one after the other and stops at the first failure. */
async function runInSequence(
  commands: readonly (readonly [string, ...string[]])[],
  env: NodeJS.ProcessEnv,
): Promise<Result> {
  let report = '';
  for (const [command, ...args] of commands) {
    const { code, output } = await run({ command, args, env });
    report = output;
    if (code !== 0) return { passed: false, report };
  }
  return { passed: true, report };
}

/** Generates types with openapi-typescript, type-checks a program with them and runs it: it places an order. */
export const openapiTypescript: Check = async (url, { nodeDir }) => {
  const source = join(nodeDir, 'openapi.json');
  writeFileSync(source, await textOf(`${url}/openapi.json`));
  writeFileSync(join(nodeDir, 'place-order.ts'), typedProgram);
  const bin = (name: string): string => join(nodeDir, 'node_modules', '.bin', name);
  const flags = '--strict --noEmit --skipLibCheck --module nodenext --target es2023 --lib es2023,dom --types node';
  const program = join(nodeDir, 'place-order.ts');
  return runInSequence(
    [
      [bin('openapi-typescript'), source, '--output', join(nodeDir, 'api.ts')],
      [bin('tsc'), ...flags.split(' '), '--allowImportingTsExtensions', program],
      [process.execPath, program],
    ],
    asCustomer(url),
  );
};

/** Generates a Python client, which places an order. */
export const openapiPythonClient: Check = async (url, { python }) => {
  const folder = emptyFolder('python-client');
  const source = join(folder, 'openapi.json');
  writeFileSync(source, await textOf(`${url}/openapi.json`));
  const target = join(folder, 'comanda_client');
  return runInSequence(
    [
      [
        python('openapi-python-client'),
        'generate',
        '--path',
        source,
        '--output-path',
        target,
        '--meta',
        'none',
        '--fail-on-warning',
      ],
      [python('python'), join(here, 'place_order.py')],
    ],
    // The generator calls its formatter, which is in the same folder.
    { ...asCustomer(url), PYTHONPATH: folder, PATH: `${dirname(python('ruff'))}${delimiter}${process.env['PATH']}` },
  );
};

/**
 * Runs every Schemathesis check on every call of the document as a user of this role. A second user, the neighbour, must
 * not see the first user's data. The other settings are in `schemathesis.toml`.
 */
export const schemathesis =
  (role: Role, examples: number): Check =>
  async (url, { python }) => {
    const folder = emptyFolder(`schemathesis-${role}`);
    const config = join(folder, 'schemathesis.toml');
    const users = join(folder, 'users.json');
    const tokens = { [role]: await tokenOf(url, role), neighbour: await newCustomerToken(url) };
    const auth = Object.entries(tokens).map(([name, token]) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }],
    }));
    writeFileSync(users, JSON.stringify({ auth }));
    const peers = JSON.stringify(Object.keys(tokens));
    const userSettings = `[auth.wfc]\npath = ${JSON.stringify(users)}\nuser = "${role}"\npeers = ${peers}\n`;
    writeFileSync(config, `${readFileSync(join(here, 'schemathesis.toml'), 'utf8')}\n${userSettings}`);
    const { code, output } = await run({
      command: python('schemathesis'),
      args: [
        '--config-file',
        config,
        '--no-color',
        'run',
        `${url}/openapi.json`,
        '--checks',
        'all',
        '--max-examples',
        String(examples),
        '--continue-on-failure',
      ],
      env: {
        ...process.env,
        PYTHONPATH: here,
        SCHEMATHESIS_HOOKS: 'step_up',
        HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis'),
        COMANDA_URL: url,
        COMANDA_PIN: pin,
      },
      timeoutMs: 1_800_000,
    });
    const reportFile = join(folder, 'report.txt');
    writeFileSync(reportFile, output);
    const summary = /^Test cases:\n(.*)$/m.exec(output)?.[1]?.trim() ?? output.slice(-2000);
    const [tried] = /[\d,]+/.exec(summary) ?? [];
    const [, other = '0'] = /(\d+) unique failures?/.exec(summary) ?? [];
    return {
      other: Number(other),
      passed: code === 0,
      report: `${summary}\n${reportFile}`,
      ...(tried !== undefined && { tried: Number(tried.replaceAll(',', '')) }),
    };
  };

const judged = ({ cases, failures }: Verdict): Result => ({
  passed: failures.length === 0,
  report: failures.join('\n'),
  tried: cases,
  other: failures.length,
});
export const jsonFiles: Check = async (gatewayUrl) =>
  judged(await tryJsonFiles({ gatewayUrl, token: await tokenOf(gatewayUrl, 'customer') }));

export const texts: Check = async (gatewayUrl) => {
  const [dish] = (await (await fetch(`${gatewayUrl}/menu`)).json()) as { id: number }[];
  return judged(await tryTexts({ gatewayUrl, token: await tokenOf(gatewayUrl, 'customer') }, dish?.id ?? 1));
};

export const signatures: Check = () => Promise.resolve(judged(trySignatures()));

/** Packs the client as it is published, and has both tools look at the package. */
export const packedClient: Check = async (_url, { nodeDir }) => {
  const folder = emptyFolder('client');
  const built = join(folder, 'package');
  const packed = await runInSequence(
    [
      [process.execPath, join(root, 'packages/client/build.mjs'), built],
      ['npm', 'pack', built, '--pack-destination', folder],
    ],
    process.env,
  );
  if (!packed.passed) return packed;
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
  const bin = (name: string): string => join(nodeDir, 'node_modules', '.bin', name);
  return runInSequence(
    [
      [bin('publint'), 'run', tarball, '--strict'],
      // It is for ECMAScript modules alone.
      [bin('attw'), tarball, '--profile', 'esm-only', '--no-emoji', '--no-color', '--format', 'ascii'],
    ],
    process.env,
  );
};
