import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '@comanda/local-stack/root';

type Sequencer = { sort: (tests: readonly { path: string }[]) => { path: string }[] };

const { default: LongestFirst } = (await import(new URL('longest-first.mjs', import.meta.url).href)) as {
  default: new (options: object) => Sequencer;
};
const durations = JSON.parse(readFileSync(join(import.meta.dirname, 'durations.json'), 'utf8')) as Record<
  string,
  number
>;
const files = Object.keys(durations);
function sorted(names: readonly string[], seed: number): string[] {
  const tests = names.map((name) => ({ path: join(root, name) }));
  // oxlint-disable-next-line unicorn/no-array-sort -- no array
  const order = new LongestFirst({ globalConfig: { seed } }).sort(tests);
  return order.map(({ path }) => relative(root, path));
}

test('when files are ordered, then those that took longest run first, and an unknown one as the median', () => {
  const order = sorted([...files, 'services/orders/test/unknown.test.ts'], 1);

  const seconds = order.map((file) => durations[file]);
  const known = seconds.filter((each) => each !== undefined);
  expect(known).toEqual(known.toSorted((a, b) => b - a));
  const at = seconds.indexOf(undefined);
  expect(Math.abs(at - order.length / 2)).toBeLessThan(order.length / 2 - 1);
});

test('when the seed is the same, then the order is, and with another seed files that took equally long change places', () => {
  expect(sorted(files, 1)).toEqual(sorted(files.toReversed(), 1));
  expect(sorted(files, 1)).not.toEqual(sorted(files, 2));
});
