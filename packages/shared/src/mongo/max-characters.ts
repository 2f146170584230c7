import { countCharacters } from '@comanda/contracts/schema';

/**
 * A rule of a stored text: at most `max` characters, counted as in the contracts and not in UTF-16 units as by `maxlength`
 * of mongoose. Its message does not repeat the text.
 */
export const maxCharacters = (max: number) => ({
  validate: {
    validator: (text: string | null): boolean => text === null || countCharacters(text) <= max,
    message: `has more than ${max} characters`,
  },
});
