/**
 * Converts an entered amount to the API's format: `"1234,5"` to `"1234.5"`. Returns null if the text isn't an amount or is
 * ambiguous, such as `1.234`, which is more than a thousand in some countries and little more than one in others.
 */
export function readAmount(typed: string): string | null {
  const text = typed.replaceAll(/\s|R\$/g, '').replace(',', '.');
  const [, whole = '', fraction] = /^0*([0-9]{1,8})(?:\.([0-9]{1,2}))?$/.exec(text) ?? [];
  if (whole === '' || !/[1-9]/.test(text)) return null;
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
}
