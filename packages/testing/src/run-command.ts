import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '@comanda/local-stack/root';
import type { ServiceName } from '@comanda/local-stack/stack-settings';
import { compileCacheDir } from './environment.ts';

type Given = { args?: readonly string[]; env: Record<string, string> };

/** Runs `services/SERVICE/src/SCRIPT.ts` with the settings in `env`, and returns the script's output. */
export async function runCommand(service: ServiceName, script: string, { args = [], env }: Given): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', `services/${service}/src/${script}.ts`, ...args],
    { cwd: root, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCacheDir(), ...env } },
  );
  return stdout;
}
