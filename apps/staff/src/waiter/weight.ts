import { normalMeasure } from '@comanda/contracts/weight';
import { formatWeight } from '@comanda/ui/format.ts';

/**
 * Converts an entered weight to kilograms with three decimal places: `432` are grams, `0.432` and `0,432` kilograms. Returns null
 * if the text isn't a weight from 0.001 to 99.999 kg.
 */
export function readWeight(typed: string): string | null {
  const text = typed.trim().replace(',', '.');
  const [, grams, kilos, places = ''] = /^0*(?:([0-9]{1,5})|([0-9]{0,2})\.([0-9]{1,3}))$/.exec(text) ?? [];
  if (grams !== undefined) return asWeight(grams.padStart(4, '0').replace(/(?=.{3}$)/, '.'));
  return kilos === undefined ? null : asWeight(`${kilos || '0'}.${places}`);
}
const asWeight = (value: string): string | null => (/[1-9]/.test(value) ? normalMeasure(value) : null);

/** Returns a weight with its unit: `0.432 kg` in English, `0,432 kg` in Portuguese. */
export const weightText = (kilograms: string): string => `${formatWeight(kilograms)}\u00a0kg`;
