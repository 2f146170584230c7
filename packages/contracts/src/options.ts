import { roundHalfUp, sum } from './bill-amounts.ts';
import type { AskedOption } from './item-options.ts';
import { fromMinor, toMinor } from './money.ts';
import type { OptionGroup as GroupResponse } from './option-groups.ts';

/** An option and its group, with the fields that decide which options may be chosen and what they cost. */
type Option = Pick<
  GroupResponse['options'][number],
  'id' | 'price' | 'max_each' | 'available' | 'default' | 'option_group_ids'
>;
type GroupOf<O extends Option> = Pick<GroupResponse, 'id' | 'min' | 'max' | 'price_method' | 'free'> & {
  options: readonly O[];
};
/** All groups that a dish can lead to, by id. A group that is missing asks nothing. */
type Groups<G> = ReadonlyMap<number, G>;

/** What can be wrong with the options of a line. */
export const optionDefects = ['unknown', 'repeated', 'too_many_of_one', 'too_few', 'too_many'] as const;
export type OptionDefect = {
  reason: (typeof optionDefects)[number];
  /** The group with too few or too many options; null for a defect of one option. */
  group_id: number | null;
  option_id: number | null;
  /** The option that opens the group; null for the dish. */
  parent_option_id: number | null;
};
/** A chosen option, with the options of the groups that it opens. */
export type ChosenOption<G> = {
  group: G;
  option: G extends { options: readonly (infer O)[] } ? O : never;
  quantity: number;
  /** The units of its group if they share one price, which is so with `average` and `max`; null with `sum`. */
  of: number | null;
  options: readonly ChosenOption<G>[];
};
export type Choice<G> = {
  /** In the menu's order, with the defaults of groups of which nothing is named. */
  options: readonly ChosenOption<G>[];
  /** Each defect once. With a defect, the choice can't be ordered. */
  defects: readonly OptionDefect[];
  /** The ids of chosen options that are sold out, each once. */
  soldOut: readonly number[];
  /** What the options cost together, in minor units. May be negative. */
  amount: bigint;
};

/** Parses an option's price into minor units: `-250n` for `"-2.5"`. */
export const minorOf = (price: string): bigint => (price.startsWith('-') ? -toMinor(price.slice(1)) : toMinor(price));
/** Formats an option's price with two decimal places: `"-2.50"` for `"-2.5"`. */
export const normalPrice = (price: string): string => fromMinor(minorOf(price));

/** Returns what the chosen units of one group cost together, in minor units. `units`: the price of each unit. */
export function groupAmount(
  { price_method: method, free }: Pick<GroupResponse, 'price_method' | 'free'>,
  units: readonly bigint[],
): bigint {
  if (units.length === 0) return 0n;
  if (method === 'average') return roundHalfUp(sum(units), BigInt(units.length));
  if (method === 'sum' && free === 0) return sum(units);
  const dearestFirst = [...units].sort((one, other) => (one < other ? 1 : -Number(one > other)));
  if (method === 'max') return dearestFirst[0] ?? 0n;
  return sum(units) - sum(dearestFirst.filter((price) => price > 0n).slice(0, free));
}

/** Returns the price of one unit of a dish with these options, in minor units. It is never below 0. */
export function unitPriceOf(dishPrice: bigint, { amount }: Pick<Choice<unknown>, 'amount'>): bigint {
  const price = dishPrice + amount;
  return price > 0n ? price : 0n;
}

const noChoice: Choice<never> = { options: [], defects: [], soldOut: [], amount: 0n };

/**
 * Matches the options that a line asks for with the option groups of its dish. `groupIds`: the dish's groups, in the order shown.
 * A group with `min` above 0 of which nothing is named gets its defaults, if all of them are available. An unknown or repeated
 * option, and what is below it, counts for nothing else.
 */
export function chooseOptions<O extends Option, G extends GroupOf<O>>(
  { groupIds, asked }: { groupIds: readonly number[]; asked: readonly AskedOption[] },
  groups: Groups<G>,
): Choice<G> {
  if (groupIds.length === 0 && asked.length === 0) return noChoice;
  const found: Found = { defects: [], soldOut: [] };
  const chosen = chooseBelow({ groupIds, asked, parent: null }, groups, found);
  const once = new Map(found.defects.map((defect) => [Object.values(defect).join('/'), defect]));
  return { ...chosen, defects: [...once.values()], soldOut: [...new Set(found.soldOut)] } as never;
}

type AnyGroup = GroupOf<Option>;
/** One parent's groups and the options asked for there. `parent`: the option that opens the groups; null for the dish. */
type Asked = { groupIds: readonly number[]; asked: readonly AskedOption[]; parent: number | null };
/** How many units of an option are asked for, with the options that are asked for below it. */
type Wanted = { quantity: number; below: readonly AskedOption[] };
type Chosen = Pick<Choice<AnyGroup>, 'amount'> & { options: ChosenOption<AnyGroup>[] };
/** What is found while choosing, on all levels. */
type Found = { defects: OptionDefect[]; soldOut: number[] };

// Every order and every tap on a phone runs the functions below. That is why they use loops and create no lists in between.

function chooseBelow({ groupIds, asked, parent }: Asked, groups: Groups<AnyGroup>, found: Found): Chosen {
  const own = groupIds.flatMap((id) => groups.get(id) ?? []);
  const wanted = new Map<Option, Wanted>();
  for (const { id, quantity = 1, options: below = [] } of asked) {
    const option = optionIn(own, id);
    const reason = whatIsWrong({ option, quantity, wanted });
    if (reason) found.defects.push({ reason, group_id: null, option_id: id, parent_option_id: parent });
    if (option && !wanted.has(option)) wanted.set(option, { quantity, below });
  }
  const chosen: Chosen = { options: [], amount: 0n };
  for (const group of own) {
    const { options, amount } = chooseInGroup({ group, wanted, parent }, groups, found);
    chosen.options.push(...options);
    chosen.amount += amount;
  }
  return chosen;
}

function optionIn(groups: readonly AnyGroup[], id: number): Option | undefined {
  for (const { options } of groups) for (const option of options) if (option.id === id) return option;
  return undefined;
}

type Named = { option: Option | undefined; quantity: number; wanted: ReadonlyMap<Option, Wanted> };
function whatIsWrong({ option, quantity, wanted }: Named): OptionDefect['reason'] | null {
  if (!option) return 'unknown';
  if (wanted.has(option)) return 'repeated';
  return quantity > option.max_each ? 'too_many_of_one' : null;
}

const oneUnit: Wanted = { quantity: 1, below: [] };

function chooseInGroup(
  { group, wanted, parent }: { group: AnyGroup; wanted: ReadonlyMap<Option, Wanted>; parent: number | null },
  groups: Groups<AnyGroup>,
  found: Found,
): Chosen {
  const named = group.options.filter((option) => wanted.has(option));
  const units = named.length > 0 || group.min === 0 ? named : defaultsOf(group);
  const prices: bigint[] = [];
  for (const option of units) {
    const price = minorOf(option.price);
    for (let { quantity } = wanted.get(option) ?? oneUnit; quantity > 0; quantity--) prices.push(price);
    if (!option.available) found.soldOut.push(option.id);
  }
  const count = prices.length;
  const reason = count < group.min ? 'too_few' : count > group.max ? 'too_many' : null;
  if (reason) found.defects.push({ reason, group_id: group.id, option_id: null, parent_option_id: parent });

  const of = group.price_method === 'sum' ? null : count;
  const chosen: Chosen = { options: [], amount: groupAmount(group, prices) };
  for (const option of units) {
    const { quantity, below } = wanted.get(option) ?? oneUnit;
    const opened = { groupIds: option.option_group_ids, asked: below, parent: option.id };
    const { options, amount } = chooseBelow(opened, groups, found);
    chosen.options.push({ group, option, quantity, of, options });
    chosen.amount += amount;
  }
  return chosen;
}

/** Returns the group's defaults; none if one of them is sold out. Defaults open no groups. */
function defaultsOf({ options }: AnyGroup): Option[] {
  const defaults = options.filter((option) => option.default);
  return defaults.every(({ available }) => available) ? defaults : [];
}
