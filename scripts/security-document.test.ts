import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
/** Returns the rows of a text's table without the first two lines, each row as a list of cells. */
function tableOf(text = ''): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
test('every cell about an attacker is the title of a test, and each of these tests has a cell', () => {
  const source = read('test/attacker.test.ts');
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
    // Starts with the longest title, because one title may contain another.
    const longestFirst = names.toSorted((a = '', b = '') => b.length - a.length);
    const unnamed = longestFirst.reduce<string>((text, name = '') => text.replaceAll(name, ''), cells.join(' '));
    expect(unnamed.trim()).toBe('');
    expect(names.filter((name = '') => !cells.join(' ').includes(name))).toEqual([]);
  }
});
