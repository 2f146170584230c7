import { CallFailure } from '@comanda/client';
import { expect, test } from '@jest/globals';
import { followExceptions } from './follow-exceptions.ts';

test('the list is read again after a read that met a defect of the app', async () => {
  const answers = [new TypeError('a defect'), [[{ id: 1 }]]];
  const pages = () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { read, exceptions } = followExceptions({ pages } as never, {
    sinceMs: 0,
    onRead: () => Promise.resolve(),
  });

  await expect(read()).rejects.toThrow('a defect');
  await read();

  expect(exceptions.value).toEqual([{ id: 1 }]);
});

test('a service of an earlier release, which has no such list, is no failure', async () => {
  const pages = () => {
    throw new CallFailure('not found', { code: 'not_found', outcome: 'none' });
  };
  const { read, exceptions, failure } = followExceptions({ pages } as never, {
    sinceMs: 0,
    onRead: () => Promise.resolve(),
  });

  await read();

  expect([exceptions.value, failure.value]).toEqual([null, null]);
});
