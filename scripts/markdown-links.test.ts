import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

const listFiles = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'];
const pages = execFileSync('git', listFiles, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** Returns a page without its code, because code contains no links. */
const textOf = (path: string): string =>
  readFileSync(join(root, path), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length));

/** Returns the targets of links and pictures that are in this repository. */
function relativeTargets(path: string): string[] {
  const text = textOf(path);
  const inMarkdown = [...text.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
  const inHtml = [...text.matchAll(/(?:src|href)="([^"]+)"/g)];
  return [...inMarkdown, ...inHtml].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns a page's anchors, which GitHub derives from headings or the page names itself. */
function anchorsOf(path: string): Set<string> {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
  const counts = new Map<string, number>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

function whyBroken(page: string, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (file.startsWith('..') || !existsSync(join(root, file))) return `${target}: there is no ${file}`;
  if (anchor === undefined) return null;
  const isPage = file.endsWith('.md') && statSync(join(root, file)).isFile();
  return !isPage || anchorsOf(file).has(anchor) ? null : `${target}: ${file} has no such heading`;
}

describe('in the documentation', () => {
  test.each(pages)('%s links only to existing files and headings', (page) => {
    expect(relativeTargets(page).flatMap((target) => whyBroken(page, target) ?? [])).toEqual([]);
  });

  test('the docs index links to every page in docs', () => {
    const indexed = new Set(
      relativeTargets('docs/README.md').map((target) => join('docs', target.split('#')[0] ?? '')),
    );
    const documents = pages.filter((page) => /^docs\/(?:guides\/|run\/)?[\w-]+\.md$/.test(page));

    expect(documents.length).toBeGreaterThan(20);
    expect(documents.filter((page) => page !== 'docs/README.md' && !indexed.has(page))).toEqual([]);
  });

  test("a heading that contains code or symbols has GitHub's anchor", () => {
    expect(anchorsOf('packages/contracts/README.md')).toContain('add-a-problem');
  });
});
