import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { tryJsonFiles, trySignatures, tryTexts } from './outsiders/cases.ts';

describe('the gateway', () => {
  let stack: Stack;
  let token: string;
  beforeAll(async () => {
    stack = await startStackHere('outsiders', withoutLimits);
    ({ token } = await stack.customer('Ana'));
  });
  afterAll(() => stack.close());

  test('accepts a file from JSONTestSuite as a body if and only if it is valid JSON', async () => {
    expect(await tryJsonFiles({ ...stack, token })).toEqual({ cases: 318, failures: [] });
  });

  test('stores each string from the list of naughty strings unchanged, or rejects it', async () => {
    const body = { name: `Pão de queijo ${Date.now()}`, price: '1.00' };
    const dish = created(await stack.call('POST', '/menu', { body, token: stack.managerToken }));

    expect(await tryTexts({ ...stack, token }, dish.id)).toEqual({ cases: 515, failures: [] });
  });
});

test('the verifier accepts a signature from Wycheproof if and only if Wycheproof calls it valid', () => {
  expect(trySignatures()).toEqual({ cases: 41, failures: [] });
});
