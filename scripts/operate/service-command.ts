import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir, root } from '@comanda/local-stack/root';
import { lanFiles } from '../start/lan-certificate.ts';

export type RunningStack = Record<'mongodb' | 'rabbitmq' | 'gateway', { url: string }>;

/** Finds the stack that npm start runs in this folder. Returns null if none is running. */
export function findRunningStack(): RunningStack | null {
  const runFile = join(comandaDir, 'run.json');
  return existsSync(runFile) ? (JSON.parse(readFileSync(runFile, 'utf8')) as RunningStack) : null;
}

/** Returns true if the environment contains this setting, or the name of a file with it. */
export const isGiven = (name: string): boolean => Boolean(process.env[name] || process.env[`${name}_FILE`]);

/** Ends the process with a one-line message. */
export function refuseWithoutStack(settings: string): never {
  console.error(
    `npm start does not run with the data in ${comandaDir}. Start it first, or set ${settings}, or COMANDA_DIR to the folder of npm start.`,
  );
  return process.exit(1);
}

type ServiceCommand = {
  service: string;
  /** The name of the command's file in the service's source folder. */
  command: string;
  args?: readonly string[];
  /** Additional environment variables. */
  env?: Readonly<Record<string, string>>;
};
/** Runs a service's command, which prints its result. Returns the exit code. */
export async function runServiceCommand({ service, command, args = [], env = {} }: ServiceCommand): Promise<number> {
  const script = `services/${service}/src/${command}.ts`;
  // With `npm start -- --lan`, the gateway has a certificate from this authority.
  const { authorityFile } = lanFiles(join(comandaDir, 'lan'));
  const child = spawn(process.execPath, ['--conditions=source', script, ...args], {
    cwd: root,
    env: { ...(existsSync(authorityFile) && { NODE_EXTRA_CA_CERTS: authorityFile }), ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
