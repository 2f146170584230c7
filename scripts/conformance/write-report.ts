import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDocument } from '@comanda/local-stack/format-document';
import { root } from '@comanda/local-stack/root';
import type { Result } from './run.ts';

export type Judged = Result & { name: string; by: string };

/** Writes docs/conformance.md: who has judged, how many cases they tried, and how many of these had another outcome. */
export async function writeReport(judged: readonly Judged[]): Promise<void> {
  const rows = judged.map(({ name, by, passed, tried, other, missing }) => {
    const outcome = passed ? 'passed' : missing === undefined ? 'failed' : `not tried: there was no \`${missing}\``;
    return `| ${name} | ${by} | ${tried?.toLocaleString('en') ?? ''} | ${other ?? ''} | ${outcome} |`;
  });
  const text = `# Judged by others

What other people's tools and collections say of this system. \`npm run conformance\` runs them and writes this page, so do not
change it by hand. [test/outsiders](../test/outsiders/README.md) says where the collections and suites are from; they are part of \`npm test\`
too, but for long polling. [Decision 0011](decisions/0011-conformance-tools.md) says how Redocly and Schemathesis are configured.

| What is judged | By | Cases | With another outcome | |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
  const path = 'docs/conformance.md';
  writeFileSync(join(root, path), await formatDocument(path, text));
}
