import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
/** The rows of the table in a text, without its two first lines; each row as its cells. */
function tableOf(text = ''): string[][] {
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
test('when a cell says what a thief gets, then it is the name of a test, and each of these tests is in a cell', () => {
  const source = read('test/thief.test.ts');
  const thieves = [...source.matchAll(/^ {2}(['"])(?<who>[^\n]+?)\1: \{\n(?<cells>.*?)^ {2}\},/gms)].map(
    ({ groups }) => ({
      who: groups?.['who'],
      names: [...(groups?.['cells'] ?? '').matchAll(/^ {4}(['"])(?<name>[^\n]+?)\1:/gm)].map(
        (cell) => cell.groups?.['name'],
      ),
    }),
  );
  const rows = tableOf(read('docs/security.md').split('\n## What a thief gets\n')[1]?.split('\n## ')[0]);

  expect(rows.map(([who]) => who)).toEqual(thieves.map(({ who }) => who));
  for (const [index, { names }] of thieves.entries()) {
    const cells = (rows[index] ?? []).slice(1);
    expect(cells).toHaveLength(5);
    // The longest first: one name may contain another.
    const longestFirst = names.toSorted((a = '', b = '') => b.length - a.length);
    const unnamed = longestFirst.reduce<string>((text, name = '') => text.replaceAll(name, ''), cells.join(' '));
    expect(unnamed.trim()).toBe('');
    expect(names.filter((name = '') => !cells.join(' ').includes(name))).toEqual([]);
  }
});
