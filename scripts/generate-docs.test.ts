import { expect, test } from '@jest/globals';
import { generatedFiles } from './generated-docs.ts';

test('generated files match the contracts (otherwise run: npm run docs)', async () => {
  const files = await generatedFiles();

  const outdated = files.filter(({ current, wanted }) => current !== wanted).map(({ path }) => path);
  expect(outdated).toEqual([]);
});
