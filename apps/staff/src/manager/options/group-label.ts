import type { OptionGroup } from '@comanda/contracts/option-groups';
import { isSameName } from '@comanda/contracts/text-key';
import { formatAmount } from '../../currency-sign.ts';
import { ruleText } from '../rule-text.ts';

/** How many options tell groups of the same name apart. */
const maxShown = 3;

type Named = Pick<OptionGroup, 'id' | 'name' | 'min' | 'max' | 'options'>;
/**
 * Returns the group's name. If another group has the same name, adds what guests choose from, with prices: the flavours of a small and
 * a large pizza may differ only in these.
 */
export function groupLabel(group: Named, all: readonly Named[], currency: string): string {
  const { id, name, min, max, options } = group;
  if (!all.some((other) => other.id !== id && isSameName(other.name, name))) return name;
  const shown = options
    .slice(0, maxShown)
    .map((option) => `${option.name} ${formatAmount(option.price, currency)}`)
    .join(', ');
  return `${name} (${ruleText(min, max)}: ${shown}${options.length > maxShown ? '…' : ''})`;
}
