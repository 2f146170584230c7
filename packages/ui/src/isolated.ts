/** Letters of scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A text that people typed, such as a name, for a sentence of ours: without it, the number or time beside an Arabic or Hebrew
 * name would be drawn on its other side. As `<bdi>`, also in attributes; texts without such letters stay as they are.
 */
export const isolated = (typed: string): string => (rightToLeft.test(typed) ? `\u2068${typed}\u2069` : typed);
