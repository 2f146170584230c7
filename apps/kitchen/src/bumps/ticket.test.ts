import { expect, test } from '@jest/globals';
import { dishText } from './ticket.ts';

test.each([
  [1, 'Pão de queijo'],
  [2, '2\u00A0Pão de queijo'],
])('when %d of a dish are told in a sentence, then no line ends between number and dish', (quantity, text) => {
  expect(dishText({ quantity, name: 'Pão de queijo' })).toBe(text);
});
