import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { comandaDir } from '../root.ts';
import { run } from '../servers/command.ts';
import { demoPassword, emailOf, newcomersToken, pin, tokenOf } from './house.ts';
import type { Role } from './house.ts';
import type { Tools } from './tools.ts';

/** What a check found: it passed or not, and what there is to read about it. */
type Outcome = { passed: boolean; said: string };
export type Check = (url: string, tools: Tools) => Promise<Outcome>;

const outDir = join(comandaDir, 'conformance', 'out');
const here = import.meta.dirname;

/** A folder of this name, empty. */
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
  const said = found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
  return { passed: found.every(({ severity }) => severity !== 'error'), said: said.join('\n') };
};

type Diagnostic = { severity: number; code: string; message: string };
type Parser = new () => { parse: (source: string) => Promise<{ document?: unknown; diagnostics: Diagnostic[] }> };

export const asyncApiParser: Check = async (url, { nodeDir }) => {
  const module = pathToFileURL(join(nodeDir, 'node_modules/@asyncapi/parser/cjs/index.js')).href;
  const { Parser } = (await import(module)) as { Parser: Parser };
  const { document, diagnostics } = await new Parser().parse(await textOf(`${url}/asyncapi.json`));
  // 0 is an error, 1 a warning; 2 and 3 are hints.
  const found = diagnostics.filter(({ severity }) => severity <= 1);
  const said = found.map(({ code, message }) => `${code}: ${message}`).join('\n');
  return { passed: document !== undefined && found.length === 0, said };
};

const typedProgram = `import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const { COMANDA_URL = '', COMANDA_EMAIL = '', COMANDA_PASSWORD = '' } = process.env;
const house = createClient<paths>({ baseUrl: COMANDA_URL });
const { data: pair, error } = await house.POST('/auth/login', { body: { email: COMANDA_EMAIL, password: COMANDA_PASSWORD } });
if (!pair) throw new Error(error.code);
const { data: menu = [] } = await house.GET('/menu');
const { data: order, error: refusal } = await house.POST('/orders', {
  headers: { Authorization: \`Bearer \${pair.access_token}\` },
  params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
  body: { items: [{ item_id: menu[0]!.id, quantity: 2 }], table: '12' },
});
if (!order) throw new Error(refusal.code === 'menu_item_unknown' ? JSON.stringify(refusal.items) : refusal.code);
console.log(\`order \${order.id}: \${order.status}, \${order.total} \${order.currency}\`);
`;
const asCustomer = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  COMANDA_URL: url,
  COMANDA_EMAIL: emailOf('customer'),
  COMANDA_PASSWORD: demoPassword,
});

/** Runs one command after the other; the first that fails decides. */
async function inTurn(commands: readonly (readonly [string, ...string[]])[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  let said = '';
  for (const [command, ...args] of commands) {
    const { code, output } = await run({ command, args, env });
    said = output;
    if (code !== 0) return { passed: false, said };
  }
  return { passed: true, said };
}

/** openapi-typescript makes types, a program is checked by them, and places an order. */
export const openapiTypescript: Check = async (url, { nodeDir }) => {
  const source = join(nodeDir, 'openapi.json');
  writeFileSync(source, await textOf(`${url}/openapi.json`));
  writeFileSync(join(nodeDir, 'place-order.ts'), typedProgram);
  const bin = (name: string): string => join(nodeDir, 'node_modules', '.bin', name);
  const flags = '--strict --noEmit --skipLibCheck --module nodenext --target es2023 --lib es2023,dom --types node';
  const program = join(nodeDir, 'place-order.ts');
  return inTurn(
    [
      [bin('openapi-typescript'), source, '--output', join(nodeDir, 'api.ts')],
      [bin('tsc'), ...flags.split(' '), '--allowImportingTsExtensions', program],
      [process.execPath, program],
    ],
    asCustomer(url),
  );
};

/** A client in another language is made, and places an order. */
export const openapiPythonClient: Check = async (url, { python }) => {
  const folder = emptyFolder('python-client');
  const source = join(folder, 'openapi.json');
  writeFileSync(source, await textOf(`${url}/openapi.json`));
  const target = join(folder, 'comanda_client');
  return inTurn(
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
    // Its formatter is beside it.
    { ...asCustomer(url), PYTHONPATH: folder, PATH: `${dirname(python('ruff'))}${delimiter}${process.env['PATH']}` },
  );
};

/**
 * Every check, on every call of the document, as a user of this role, with a neighbour who must not be shown what is the
 * user's: what else is set stands in `schemathesis.toml`.
 */
export const schemathesis =
  (role: Role, examples: number): Check =>
  async (url, { python }) => {
    const folder = emptyFolder(`schemathesis-${role}`);
    const config = join(folder, 'schemathesis.toml');
    const users = join(folder, 'users.json');
    const tokens = { [role]: await tokenOf(url, role), neighbour: await newcomersToken(url) };
    const auth = Object.entries(tokens).map(([name, token]) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${token}` }],
    }));
    writeFileSync(users, JSON.stringify({ auth }));
    const peers = JSON.stringify(Object.keys(tokens));
    const who = `[auth.wfc]\npath = ${JSON.stringify(users)}\nuser = "${role}"\npeers = ${peers}\n`;
    writeFileSync(config, `${readFileSync(join(here, 'schemathesis.toml'), 'utf8')}\n${who}`);
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
      env: { ...process.env, PYTHONPATH: here, SCHEMATHESIS_HOOKS: 'step_up', COMANDA_URL: url, COMANDA_PIN: pin },
      timeoutMs: 1_800_000,
    });
    const report = join(folder, 'report.txt');
    writeFileSync(report, output);
    const summary = /^Test cases:\n(.*)$/m.exec(output)?.[1]?.trim() ?? output.slice(-2000);
    return { passed: code === 0, said: `${summary}\n${report}` };
  };
