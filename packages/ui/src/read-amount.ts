/**
 * An amount as people type it, as the API takes it: `"1234,5"` as `"1234.5"`. Null if it is none, or if it could mean two
 * amounts: `1.234` is a thousand to some and one to others.
 */
export function readAmount(typed: string): string | null {
  const text = typed.replaceAll(/\s|R\$/g, '').replace(',', '.');
  const [, whole = '', fraction] = /^0*([0-9]{1,8})(?:\.([0-9]{1,2}))?$/.exec(text) ?? [];
  if (whole === '' || !/[1-9]/.test(text)) return null;
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
}
