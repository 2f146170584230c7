import { plural } from '../../format.ts';

export const en = {
  exactly: (count: number) => `choose ${count}`,
  between: (min: number, max: number) => `choose ${min} to ${max}`,
  upTo: (max: number) => `up to ${max}`,
  optional: 'optional',
  included: (count: number) => `${count} included`,
  includedOne: 'included',
  none: 'None',
  required: 'Required',
  counted: (count: number, max: number) => `${count} of ${max}`,
  soldOut: 'Sold out',
  soldOutChosen: 'Sold out. Choose another one.',
  from: (price: string) => `from ${price}`,
  average: (max: number) =>
    max === 2
      ? 'Two are half and half, at their average price.'
      : `Up to ${max} in equal parts, at their average price.`,
  averageNow: (count: number, price: string) => `Average of ${count}: ${price}`,
  dearest: (max: number) =>
    max === 2 ? 'Two are half and half, at the higher price.' : `Up to ${max} in equal parts, at the highest price.`,
  dearestNow: (count: number, price: string) => `Highest of ${count}: ${price}`,
  contains: (allergens: string) => `Contains ${allergens}`,
  unstated: 'Allergens not listed. Ask a waiter.',
  full: (max: number) => `You’ve chosen ${max}. Remove one to choose another.`,
  keepOne: 'Choose another one first, then remove this one.',
  tooFew: (left: number) => plural(left, { one: 'Choose one more.', other: `Choose ${left} more.` }),
  chooseOne: 'Choose one.',
  tooMany: (over: number) => plural(over, { one: 'Remove one.', other: `Remove ${over}.` }),
  atMost: (option: string, max: number) => `${option}: choose at most ${max}.`,
  gone: (options: string) => `No longer available: ${options}.`,
  anOption: 'One choice',
  lineGone: (option: string) => `${option} is no longer available.`,
  lineSoldOut: (option: string) => `${option} is sold out.`,
  lineTooFew: (group: string) => `Choose: ${group}.`,
};
