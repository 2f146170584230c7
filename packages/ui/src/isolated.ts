/** Matches letters in scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Isolates a text that a user typed, such as a name, within a message. Otherwise the number or time beside an Arabic or Hebrew
 * name would appear on the wrong side. Works like `<bdi>`, but also in attributes. Texts without such letters stay unchanged.
 */
export const isolated = (typed: string): string => (rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed);
