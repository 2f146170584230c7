import type { Answer, Client } from '@comanda/client';
import { expect, test } from '@jest/globals';
import { deferred } from '@comanda/testing/deferred';
import { openRestaurant } from './restaurant.ts';

type Restaurant = Answer<'getRestaurant'>;
const restaurant = (language: Restaurant['language']) => ({ name: 'Cantina', language }) as Restaurant;

test('when the language is set while the restaurant is being read, then the older answer does not undo it', async () => {
  const { promise, resolve } = deferred<Restaurant>();
  const calls = { getRestaurant: () => promise, putRestaurant: () => Promise.resolve(restaurant('en')) };
  const opened = openRestaurant({ calls } as unknown as Client);
  await opened.setLanguage('en');
  resolve(restaurant('pt-BR'));
  await new Promise(setImmediate);
  expect([opened.name.value, opened.language.value]).toEqual(['Cantina', 'en']);
});
