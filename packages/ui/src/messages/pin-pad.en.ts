import { plural } from '../format.ts';

export const en = {
  label: 'PIN',
  digits: (count: number, length: number) => `${count} of ${length} digits`,
  remove: 'Remove the last digit',
  paste: 'Paste',
  wrong: (left: number) => plural(left, { one: 'Wrong PIN, 1 try left.', other: `Wrong PIN, ${left} tries left.` }),
};
