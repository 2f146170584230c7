import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { endpoints } from '@comanda/contracts/registry';
import { errorsPage, eventsPage } from '@comanda/shared/api-docs/markdown';
import { benchmarksPage } from '../bench/benchmarks-page.ts';
import { clientCalls } from './client-calls.ts';
import { environmentExample } from './environment-example.ts';
import { withRoleTable } from './role-table.ts';
import { root } from './root.ts';

/** A file that is generated from the contracts or settings, whole or in part. `make` receives its current content. */
type Generated = { path: string; make: (current: string) => string | Promise<string>; isFormatted?: false };

const generated: readonly Generated[] = [
  { path: 'docs/errors.md', make: () => errorsPage(endpoints) },
  { path: 'docs/events.md', make: () => eventsPage() },
  { path: 'docs/security.md', make: (current) => withRoleTable(current, endpoints) },
  { path: 'docs/benchmarks.md', make: async () => benchmarksPage(await readResults()) },
  { path: 'packages/client/src/calls.ts', make: () => clientCalls() },
  { path: '.env.example', make: environmentExample, isFormatted: false },
];

const readResults = async (): Promise<Parameters<typeof benchmarksPage>[0]> =>
  JSON.parse(await readFile(join(root, 'bench/results.json'), 'utf8')) as Parameters<typeof benchmarksPage>[0];

export type GeneratedFile = { path: string; current: string; wanted: string };

/** Every generated file with its current and its wanted content, formatted like the rest of the repository. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const settings = JSON.parse(await readFile(join(root, '.oxfmtrc.json'), 'utf8')) as Record<string, unknown>;
  const { $schema: _schema, ignorePatterns: _patterns, ...options } = settings;
  return Promise.all(
    generated.map(async ({ path, make, isFormatted }) => {
      const current = await readFile(join(root, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      if (isFormatted === false) return { path, current, wanted: `${await make(current)}\n` };
      const { code, errors } = await format(path, await make(current), options);
      if (errors.length > 0) throw new Error(`${path} can't be formatted: ${JSON.stringify(errors)}`);
      return { path, current, wanted: code };
    }),
  );
}
