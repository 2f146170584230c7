import { defaultCurrency } from '@comanda/contracts/rules';
import { formatMoney } from '@comanda/ui/format.ts';
import type { Restaurant } from '../restaurant.ts';
import { cashMessages } from './messages.ts';

/** The cash drawer that always exists. The contract's module would add a validation library. */
export const mainDrawer = 'main';

type Named = { name: string; label: string };
/** Returns a cash drawer's name for people. Until a manager has renamed it, that of `main` depends on the language. */
export const drawerName = ({ name, label }: Named): string =>
  name === mainDrawer && label === name ? cashMessages().main : label;
/** Returns the name for people of one of these cash drawers. */
export function nameIn(drawers: readonly Named[], name: string): string {
  const found = drawers.find((each) => each.name === name) ?? { name, label: name };
  return drawerName(found);
}

/** The restaurant's currency. */
export const currencyOf = (restaurant: Restaurant): string => restaurant.settings.value?.currency ?? defaultCurrency;
/** Formats an amount without its minus. */
export const formatAbsolute = (amount: string, currency: string): string =>
  formatMoney(amount.replace('-', ''), currency);
