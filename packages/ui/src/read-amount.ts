/** An amount with separators between thousands. The other sign before the cents tells that it isn't ambiguous. */
const grouped = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?!\1)[.,]\d{1,2}$/;

/**
 * Converts an entered amount to the API's format: `"1234,5"` to `"1234.50"`, and `"1.234,50"` too. Returns null if the text isn't an
 * amount or is ambiguous, such as `1.234`, which is more than a thousand in some countries and little more than one in others.
 */
export function readAmount(typed: string): string | null {
  const entered = typed.replaceAll(/\s|R\$/g, '');
  const [, thousands] = grouped.exec(entered) ?? [];
  const text = (thousands === undefined ? entered : entered.replaceAll(thousands, '')).replace(',', '.');
  const [, whole = '', fraction] = /^0*([0-9]{1,8})(?:\.([0-9]{1,2}))?$/.exec(text) ?? [];
  if (whole === '' || !/[1-9]/.test(text)) return null;
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
}
