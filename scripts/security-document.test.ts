import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';

const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8');
const document = read('docs/security.md');
/** The rows of the table under a heading, without its two first lines; each row as its cells. */
function tableUnder(heading: string): string[][] {
  const section = document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
/** The text of a string literal in a file, whatever its quotes are. */
const unescaped = (source: string): string => source.replaceAll(/\\(['"`])/g, '$1');

const promises = tableUnder('Which test holds which promise').flatMap(([promise = '', tests = '']) =>
  tests.split('<br>').map((each) => {
    const [, file = '', name = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(each.trim()) ?? [];
    return { promise, each, file, name };
  }),
);

test('when the document names promises, then there are many, and each is read', () => {
  expect(promises.length).toBeGreaterThan(30);
  expect(promises.filter(({ file }) => file === '').map(({ each }) => each)).toEqual([]);
});

test.each(promises)('when the document says that a test holds "$promise", then it exists: $name', ({ file, name }) => {
  expect(existsSync(`${root}/${file}`)).toBe(true);
  expect(unescaped(read(file))).toContain(name);
});

test('when the document names a test file anywhere, then it exists', () => {
  const files = [...document.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
});

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
  const rows = tableUnder('What a thief gets');

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
