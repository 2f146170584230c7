import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { comandaDir } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { demoPassword, emailOf, newCustomerToken, pin, tokenOf, type Role } from './stack.ts';
import type { Tools } from './tools.ts';

export type Check = (url: string, tools: Tools) => Promise<{ passed: boolean; report: string }>;

const here = import.meta.dirname;
const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

type Diagnostic = { severity: number; code: string; message: string };
type Parser = new () => { parse: (source: string) => Promise<{ document?: unknown; diagnostics: Diagnostic[] }> };

/** Passes if the live feed's document has neither errors nor warnings. */
export const asyncApiParser: Check = async (url, { nodeDir }) => {
  const module = pathToFileURL(join(nodeDir, 'node_modules/@asyncapi/parser/cjs/index.js')).href;
  const { Parser } = (await import(module)) as { Parser: Parser };
  const { document, diagnostics } = await new Parser().parse(await textOf(`${url}/asyncapi.json`));
  // 0 is an error, 1 a warning, and 2 and 3 are hints.
  const found = diagnostics.filter(({ severity }) => severity <= 1);
  const report = found.map(({ code, message }) => `${code}: ${message}`).join('\n');
  return { passed: document !== undefined && found.length === 0, report };
};

/** Generates types with openapi-typescript, then type-checks and runs a program that uses them to order and pay. */
export const openapiTypescript: Check = async (url, { nodeDir }) => {
  const source = join(nodeDir, 'openapi.json');
  const program = join(nodeDir, 'order-and-pay.ts'); // The program finds its imports in this folder.
  writeFileSync(source, await textOf(`${url}/openapi.json`));
  copyFileSync(join(here, 'order-and-pay.ts.txt'), program);
  const binOf = (name: string): string => join(nodeDir, 'node_modules', '.bin', name);
  const flags = '--strict --noEmit --skipLibCheck --module nodenext --target es2023 --lib es2023,dom --types node';
  const customer = { COMANDA_EMAIL: emailOf('customer'), COMANDA_PASSWORD: demoPassword, COMANDA_PIN: pin };
  const env = { ...process.env, ...customer, COMANDA_URL: url };
  let report = '';
  for (const [command = '', ...args] of [
    [binOf('openapi-typescript'), source, '--output', join(nodeDir, 'api.ts')],
    [binOf('tsc'), ...flags.split(' '), '--allowImportingTsExtensions', program],
    [process.execPath, program],
  ]) {
    const { code, output } = await run({ command, args, env });
    report = output;
    if (code !== 0) return { passed: false, report };
  }
  return { passed: true, report };
};

/**
 * Runs every Schemathesis check on every call in the document, as a user with this role. A second user, the neighbour, must not
 * see the first user's data. `schemathesis.toml` contains the other settings.
 */
export const schemathesis =
  (role: Role, examples: number): Check =>
  async (url, { python }) => {
    const folder = join(comandaDir, 'conformance', 'out', `schemathesis-${role}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
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
    const limits = ['--max-examples', String(examples), '--continue-on-failure'];
    const { code, output } = await run({
      command: python('schemathesis'),
      args: ['--config-file', config, '--no-color', 'run', `${url}/openapi.json`, ...limits],
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
    return { passed: code === 0, report: `${summary}\n${reportFile}` };
  };
