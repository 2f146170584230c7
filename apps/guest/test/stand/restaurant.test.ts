import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openStand, type Stand } from '@comanda/testing/stand/stand';
import { never } from '@comanda/testing/stand/state';
import type { Locator } from 'playwright-core';
import { ownLook } from './screens.ts';
import { basketOf, seated } from './states.ts';

// Which restaurant this is: name, logo and colour on the guests' pages.

let stand: Stand;
beforeAll(async () => {
  stand = await openStand('guest');
});
afterEach(() => stand.check());
afterAll(() => stand?.close());

const device = basketOf(['Feijoada']);
const colourOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), property);

test.each(['light', 'dark'] as const)("the main buttons have the restaurant's colour (%s)", async (colorScheme) => {
  const page = await stand.show(seated({ device, answers: { getRestaurant: ownLook } }), '#/review', { colorScheme });
  await page.getByText(ownLook.name).waitFor();
  const send = page.locator('.dock .button-primary');
  expect(await colourOf(send, 'background-color')).toBe('rgb(22, 101, 52)');
  expect(await colourOf(send, 'color')).toBe('rgb(255, 255, 255)');
});

test('the name, logo and colour appear at the next visit before the server responds', async () => {
  const page = await stand.show(seated({ device, answers: { getRestaurant: ownLook } }));
  await page.locator('.restaurant-line img').waitFor();
  const kept = await page.evaluate(() => localStorage.getItem('comanda.restaurant'));
  await stand.show(
    seated({ device: { ...device, 'comanda.restaurant': kept ?? '' }, answers: { getRestaurant: never } }),
  );
  await page.getByText(ownLook.name).waitFor();
  expect(await colourOf(page.locator('.basket-button'), 'background-color')).toBe('rgb(22, 101, 52)');
});

test('the menu does not move when the name arrives', async () => {
  const page = await stand.show(seated({ answers: { getRestaurant: never } }));
  const top = async (): Promise<number> => (await page.locator('h1').boundingBox())?.y ?? 0;
  await page.locator('.dish-add').first().waitFor();
  const before = await top();
  await stand.answer({ getRestaurant: { ...ownLook, name: 'Cantina' } });
  await page.getByText('Cantina').waitFor();
  expect(await top()).toBe(before);
});
