import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { tryJsonFiles, trySignatures, tryTexts } from './outsiders/cases.ts';

describe('the gateway', () => {
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await startStack(await isolatedServers('outsiders'), withoutLimits);
    ({ token } = await stack.customer('Ana'));
  });
  afterAll(() => stack.close());

  test('when a body is a file of JSONTestSuite, then it is read if it is JSON, and refused if not', async () => {
    expect(await tryJsonFiles({ ...stack, token })).toEqual({ cases: 318, failures: [] });
  });

  test('when a remark is one of the naughty strings, then it is kept as it is, or refused', async () => {
    const body = { name: `Pão de queijo ${Date.now()}`, price: '1.00' };
    const dish = created(await stack.call('POST', '/menu', { body, token: stack.managerToken }));

    expect(await tryTexts({ ...stack, token }, dish.id)).toEqual({ cases: 515, failures: [] });
  });
});

test('when a signature is one of Wycheproof, then it is valid if they say so, and signs no receipt if not', () => {
  expect(trySignatures()).toEqual({ cases: 41, failures: [] });
});
