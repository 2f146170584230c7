import type { Answer, Client } from '@comanda/client';
import { expect, test } from '@jest/globals';
import { openHouse } from './house.ts';

type Restaurant = Answer<'getRestaurant'>;
const restaurant = (language: Restaurant['language']) => ({ name: 'Cantina', language }) as Restaurant;

test('when the language is set while the restaurant is being read, then the older answer does not undo it', async () => {
  const { promise, resolve } = Promise.withResolvers<Restaurant>();
  const calls = { getRestaurant: () => promise, putRestaurant: () => Promise.resolve(restaurant('en')) };
  const house = openHouse({ calls } as unknown as Client);
  await house.setLanguage('en');
  resolve(restaurant('pt-BR'));
  await new Promise(setImmediate);
  expect([house.name.value, house.language.value]).toEqual(['Cantina', 'en']);
});
