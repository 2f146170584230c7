import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDocument } from '@comanda/local-stack/format-document';
import { endpoints } from '@comanda/contracts/registry';
import { errorsPage, eventsPage } from '@comanda/shared/api-docs/markdown';
import { benchmarksPage, resultsPage, type Results } from '../bench/benchmarks-page.ts';
import { knownSettingsTemplate } from './chart/known-settings.ts';
import { clientCalls, stepUpRules } from './client-calls.ts';
import { environmentExample } from './environment-example.ts';
import { replaceSection } from './generated-section.ts';
import { rolesPage } from './role-table.ts';
import { serviceCallsTable } from './service-calls.ts';
import { settingsPage } from './settings-page.ts';
import { root } from '@comanda/local-stack/root';

/**
 * A file that is generated from contracts or settings, completely or in part. `make` returns the new content for the current one.
 */
type Generated = { path: string; make: (current: string) => string | Promise<string>; isFormatted?: false };

const generated: readonly Generated[] = [
  {
    path: 'docs/architecture.md',
    make: (current) => replaceSection(current, { name: 'calls between services', content: serviceCallsTable() }),
  },
  { path: 'docs/errors.md', make: () => errorsPage(endpoints) },
  { path: 'docs/events.md', make: () => eventsPage() },
  { path: 'docs/roles.md', make: () => rolesPage(endpoints) },
  { path: 'docs/settings.md', make: settingsPage },
  { path: 'docs/benchmarks.md', make: async () => benchmarksPage(await readResults()) },
  { path: 'bench/results.md', make: async () => resultsPage(await readResults()) },
  { path: 'packages/client/src/calls/calls.ts', make: () => clientCalls() },
  { path: 'packages/client/src/calls/step-up-rules.ts', make: stepUpRules },
  { path: '.env.example', make: environmentExample, isFormatted: false },
  { path: 'deploy/helm/lib/templates/_known.tpl', make: knownSettingsTemplate, isFormatted: false },
];

const readResults = async (): Promise<Results> =>
  JSON.parse(await readFile(join(root, 'bench/results.json'), 'utf8')) as Results;

export type GeneratedFile = { path: string; current: string; wanted: string };

/** Returns every generated file with its current and new content, both formatted like the repository's other files. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return Promise.all(
    generated.map(async ({ path, make, isFormatted }) => {
      const current = await readFile(join(root, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      if (isFormatted === false) return { path, current, wanted: `${await make(current)}\n` };
      return { path, current, wanted: await formatDocument(path, await make(current)) };
    }),
  );
}
