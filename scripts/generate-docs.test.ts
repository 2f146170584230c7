import { expect, test } from '@jest/globals';
import { generatedFiles } from './generated-docs.ts';

test('when the contracts change, then what is generated from them was generated again (npm run docs)', async () => {
  for (const { path, current, wanted } of await generatedFiles())
    expect({ path, is: current }).toEqual({ path, is: wanted });
});
