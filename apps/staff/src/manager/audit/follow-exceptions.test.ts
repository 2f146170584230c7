import { CallFailure } from '@comanda/client/core';
import { liveClient, nextTurn } from '@comanda/testing/live-client';
import { until } from '@comanda/testing/until';
import { expect, test } from '@jest/globals';
import { followExceptions } from './follow-exceptions.ts';

test('the list is reloaded after an exception on a bill', async () => {
  const found = [{ id: 1 }];
  const { client, emit } = liveClient({ listExceptions: async () => [...found] });
  const { exceptions, close } = followExceptions(client, 0);
  await until(() => exceptions.value?.length === 1, { what: 'the first exception' });
  found.push({ id: 2 });
  emit('bill.changed', { bill: {}, change: { kind: 'discount_given' } });
  await until(() => exceptions.value?.length === 2, { what: 'the second exception' });
  close();
});

test('an earlier release without this list causes no failure', async () => {
  let asked = 0;
  const { client } = liveClient({
    listExceptions: async () => {
      asked++;
      throw new CallFailure('not found', { code: 'not_found', outcome: 'none' });
    },
  });
  const { exceptions, failure, close } = followExceptions(client, 0);
  await until(() => asked > 0, { what: 'the request' });
  await nextTurn();
  const found = [exceptions.value, failure.value];
  close();

  expect(found).toEqual([null, null]);
});
