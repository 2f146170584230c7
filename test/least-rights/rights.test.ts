import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { rightsOf } from './guarded-servers.ts';

test.each(['auth-stepup', 'transfers'])("the account for %s can use all of its service's collections", async (name) => {
  const file = join(root, 'services', name, 'src/collections.ts');
  const [schemas = []] = Object.values((await import(file)) as Record<string, { get: (what: string) => string }[]>);
  const stored = schemas.map((schema) => schema.get('collection'));

  expect(Object.keys(rightsOf(name)).toSorted()).toEqual(stored.toSorted());
});

test.each(['auth-stepup', 'transfers'])(
  'the page names the collections in which the account for %s may delete documents',
  (name) => {
    const page = readFileSync(join(root, 'docs/run/least-privilege.md'), 'utf8');
    const [, removals = ''] = page.split('May remove documents from');
    const [, listed = ''] = new RegExp(`^\\| \`${name}\` +\\|(.*)\\|$`, 'm').exec(removals) ?? [];
    const removable = Object.entries(rightsOf(name)).filter(([, actions]) => actions.includes('remove'));

    expect(new Set([...listed.matchAll(/`(\w+)`/g)].map(([, collection]) => collection))).toEqual(
      new Set(removable.map(([collection]) => collection)),
    );
  },
);
