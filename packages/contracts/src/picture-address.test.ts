import { expect, test } from '@jest/globals';
import { pictureIdOf, pictureUrl, withoutSize } from './picture-address.ts';

const id = '0c86bdb2c6f8a64b0d4d1a7b3d1d5b6f4cf2c3bb8b7d7a0f7d4e9d0d6d3c1f2a';
const own = pictureUrl(id);

test.each([
  [own, own],
  [`${own}?width=400`, own],
  [`${own}?width=400&x=/y#z`, own],
  [`${own}#top`, own],
])("%s is recognized as an uploaded picture's URL, and its size can be removed", (address, expected) => {
  expect([pictureIdOf(address), withoutSize(address)]).toEqual([id, expected]);
});

test("a URL with an origin is recognized as an uploaded picture's URL, but its size can't be removed", () => {
  const address = `https://menu.example${own}?signature=1`;
  expect([pictureIdOf(address), withoutSize(address)]).toEqual([id, null]);
});

test.each([
  null,
  '/images/feijoada.jpg?width=400',
  `${own}0`,
  `${own}/more?width=400`,
  `https://other.example/?picture=${own}`,
])("%s is not recognized as an uploaded picture's URL", (address) => {
  expect([pictureIdOf(address), withoutSize(address)]).toEqual([null, null]);
});
