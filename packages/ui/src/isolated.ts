/** Matches letters in right-to-left scripts. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Isolates user input, such as a name, within a message. Otherwise a number or time beside an Arabic or Hebrew name would appear
 * on the wrong side. This works like `<bdi>`, even in attributes. Text without such letters stays unchanged.
 */
export const isolated = (typed: string): string => (rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed);
