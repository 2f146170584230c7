import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Builds a web app into a new folder, to be removed. A process of its own: Vite cannot run in Jest's modules. */
export async function buildWebApp(name: 'kitchen' | 'table'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-app-`));
  const vite = join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'warn'], {
    cwd: fileURLToPath(new URL(`../../../apps/${name}`, import.meta.url)),
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  return folder;
}
