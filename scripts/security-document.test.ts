import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
/** Returns the rows of the table in a text as lists of cells, without the first two lines. */
function tableOf(text = ''): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
test('every cell about an attacker has a test with its title', () => {
  const files = read('test/attacker.test.ts').matchAll(/from '\.\/(attacker\/(?!target\b)[\w-]+\.ts)'/g);
  const source = [...files].map(([, file]) => read(`test/${file}`)).join('\n');
  const attackers = [...source.matchAll(/^ {2}(['"])(?<who>[^\n]+?)\1: \{\n(?<cells>.*?)^ {2}\},/gms)].map(
    ({ groups }) => ({
      who: groups?.['who'],
      names: [...(groups?.['cells'] ?? '').matchAll(/^ {4}(['"])(?<name>[^\n]+?)\1:/gm)].map(
        (cell) => cell.groups?.['name'],
      ),
    }),
  );
  const rows = tableOf(read('docs/security.md').split('\n## What an attacker gets\n')[1]?.split('\n## ')[0]);

  expect(rows.map(([who]) => who)).toEqual(attackers.map(({ who }) => who));
  for (const [index, { names }] of attackers.entries()) {
    const cells = (rows[index] ?? []).slice(1);
    expect(cells).toHaveLength(5);
    // Longer titles come first, because a title may contain a shorter one.
    const longestFirst = names.toSorted((a = '', b = '') => b.length - a.length);
    const unnamed = longestFirst.reduce<string>((text, name = '') => text.replaceAll(name, ''), cells.join(' '));
    expect(unnamed.trim()).toBe('');
    expect(names.filter((name = '') => !cells.join(' ').includes(name))).toEqual([]);
  }
});
