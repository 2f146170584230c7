/** Matches letters of right-to-left scripts, such as Arabic and Hebrew. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Isolates user input, such as a name, from the message around it. Otherwise, a number or time beside an Arabic or Hebrew name
 * would appear on the wrong side. This has the same effect as `<bdi>`, but also works in attributes. Text without right-to-left
 * letters stays unchanged.
 */
export const isolated = (typed: string): string => (rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed);
