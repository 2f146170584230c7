import { execFile } from 'node:child_process';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testDataDir } from './environment.ts';
import { until } from './until.ts';

const build = `
  import { buildApps } from '@comanda/local-stack/build-apps';
  await buildApps(process.argv[1]);
`;

/**
 * The folder of a built web app. The first test file of a run that asks builds both apps; the others use what it built.
 * A process of its own builds: Vite cannot run in Jest's modules.
 */
export async function buildWebApp(name: 'kitchen' | 'table'): Promise<string> {
  const folder = join(testDataDir(), 'apps');
  const lock = join(folder, 'lock');
  mkdirSync(folder, { recursive: true });
  await until(() => create(lock), { what: `another test file to build the apps (${lock})`, timeoutMs: 120_000 });
  try {
    await promisify(execFile)(process.execPath, ['--conditions=source', '--input-type=module', '-e', build, folder], {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    });
  } finally {
    rmdirSync(lock);
  }
  return join(folder, name);
}

function create(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
