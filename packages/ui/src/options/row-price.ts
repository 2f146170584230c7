import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { groupAmount, minorOf } from '@comanda/contracts/options';
import { priceFrom } from '@comanda/contracts/options-on-offer';
import type { Chosen, Offer } from './choice.ts';

/**
 * What a row says about an option's price. `adds`: how much more the dish costs with it. `is`: the price of the whole dish, or of
 * its share in it. `from`: the least, because more must be chosen below it. Null: nothing.
 */
export type RowPrice = { kind: 'adds' | 'is' | 'from'; amount: bigint } | { kind: 'included' } | null;

const pricesOf = (own: readonly Chosen[]): bigint[] =>
  own.flatMap(({ option, quantity }) => Array<bigint>(quantity).fill(minorOf(option.price)));

/** Returns what the units of this chosen option cost. The group's dearest units are free, as in its amount. */
function costOf(chosen: Chosen, own: readonly Chosen[]): { amount: bigint; isAllFree: boolean } {
  const units = own.flatMap((each) =>
    Array.from({ length: each.quantity }, () => ({ each, price: minorOf(each.option.price) })),
  );
  const dearestFirst = units
    .filter(({ price }) => price > 0n)
    .sort((a, b) => (a.price < b.price ? 1 : -Number(a.price > b.price)));
  const free = new Set(dearestFirst.slice(0, chosen.group.free));
  const mine = units.filter(({ each }) => each === chosen);
  return {
    amount: mine.reduce((sum, unit) => sum + (free.has(unit) ? 0n : unit.price), 0n),
    isAllFree: mine.every((unit) => free.has(unit)),
  };
}

/** Returns what the option opens costs at least. */
const openedBy = ({ option_group_ids: groupIds }: Option, offer: Offer): bigint =>
  priceFrom({ price: '0.00', available: true, portions_left: null, allergens: [], option_group_ids: groupIds }, offer)
    .price;

type Row = {
  group: OptionGroup;
  option: Option;
  own: readonly Chosen[];
  /** True if the dish itself has no price. */ isBase: boolean;
};

export function rowPrice({ group, option, own, isBase }: Row, offer: Offer): RowPrice {
  const price = minorOf(option.price);
  const opened = openedBy(option, offer);
  if (opened > 0n) return { kind: 'from', amount: price + opened };
  if (price === 0n) return null;
  if (group.price_method !== 'sum' || isBase) return { kind: 'is', amount: price };
  if (group.max === 1) return group.free > 0 && price > 0n ? { kind: 'included' } : { kind: 'adds', amount: price };
  const chosen = own.find((each) => each.option.id === option.id);
  if (chosen) {
    const { amount, isAllFree } = costOf(chosen, own);
    return isAllFree ? { kind: 'included' } : { kind: 'adds', amount };
  }
  const units = pricesOf(own);
  const more = groupAmount(group, [...units, price]) - groupAmount(group, units);
  return more === 0n ? { kind: 'included' } : { kind: 'adds', amount: more };
}

/** Returns what a group with one price for all its options costs now; null if it has another price, or one option at most. */
export function sharedPrice(group: OptionGroup, own: readonly Chosen[]): bigint | null {
  const units = pricesOf(own);
  return group.price_method === 'sum' || units.length < 2 ? null : groupAmount(group, units);
}

/** Returns true if the price depends on which of several options are chosen together. */
export const sharesPrice = ({ price_method: method, max, options }: OptionGroup): boolean =>
  method !== 'sum' && max > 1 && options.some(({ price }) => price !== options[0]?.price);
