import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import { run } from '@comanda/local-stack/servers/command';
import { demoPassword, emailOf, pin } from './stack.ts';
import type { Tools } from './tools.ts';

/** `tried` and `other`: how many cases there were, and how many had another outcome than they should. */
export type Result = {
  passed: boolean;
  report: string;
  tried?: number;
  other?: number;
  /** The program that this machine does not have. */
  missing?: string;
};
export type Check = (url: string, tools: Tools) => Promise<Result>;

/** Where the settings of the checks are. */
export const here = import.meta.dirname;
/** What the checks run against the API, in other languages. */
export const programs = join(here, 'programs');
const outDir = join(comandaDir, 'conformance', 'out');
/** Creates an empty folder of this name. */
export function emptyFolder(name: string): string {
  const folder = join(outDir, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
export const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** What the programs of the clients read: who orders, and where. */
export const asCustomer = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  COMANDA_URL: url,
  COMANDA_EMAIL: emailOf('customer'),
  COMANDA_PASSWORD: demoPassword,
  COMANDA_PIN: pin,
});

/** Runs the commands one after the other and stops at the first failure. */
export async function runInSequence(
  commands: readonly (readonly [string, ...string[]])[],
  options: { env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  let report = '';
  for (const [command, ...args] of commands) {
    const { code, output } = await run({ command, args, ...options });
    report = output;
    if (code === 127) return { passed: false, report: `There is no ${command} on this machine.`, missing: command };
    if (code !== 0) return { passed: false, report };
  }
  return { passed: true, report };
}

/** The path of a program of the npm packages. */
export const binOf = ({ nodeDir }: Tools, name: string): string => join(nodeDir, 'node_modules', '.bin', name);
