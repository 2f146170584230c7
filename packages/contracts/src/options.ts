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
  const choice = chooseBelow({ groupIds, asked, parent: null }, groups);
  const once = new Map(choice.defects.map((defect) => [Object.values(defect).join('/'), defect]));
  return { ...choice, defects: [...once.values()], soldOut: [...new Set(choice.soldOut)] } as never;
}

type AnyGroup = GroupOf<Option>;
/** One parent's groups and the options asked for there. `parent`: the option that opens the groups; null for the dish. */
type Asked = { groupIds: readonly number[]; asked: readonly AskedOption[]; parent: number | null };
/** An option that is asked for, or a default, with what is asked for below it. */
type Wanted = { option: Option; quantity: number; below: readonly AskedOption[] };

function chooseBelow({ groupIds, asked, parent }: Asked, groups: Groups<AnyGroup>): Choice<AnyGroup> {
  const own = groupIds.flatMap((id) => groups.get(id) ?? []);
  const options = new Map(own.flatMap((group) => group.options.map((option) => [option.id, option] as const)));
  const wanted = new Map<number, Wanted>();
  const defects = asked.flatMap(({ id, quantity = 1, options: below = [] }): OptionDefect[] => {
    const option = options.get(id);
    const defect = (reason: OptionDefect['reason']): OptionDefect[] => [
      { reason, group_id: null, option_id: id, parent_option_id: parent },
    ];
    if (!option) return defect('unknown');
    if (wanted.has(id)) return defect('repeated');
    wanted.set(id, { option, quantity, below });
    return quantity > option.max_each ? defect('too_many_of_one') : [];
  });
  const choices = own.map((group) => chooseInGroup({ group, wanted, parent }, groups));
  return joined([{ ...noChoice, defects }, ...choices]);
}

function chooseInGroup(
  { group, wanted, parent }: { group: AnyGroup; wanted: ReadonlyMap<number, Wanted>; parent: number | null },
  groups: Groups<AnyGroup>,
): Choice<AnyGroup> {
  const named = group.options.flatMap(({ id }) => wanted.get(id) ?? []);
  const units = named.length > 0 || group.min === 0 ? named : defaultsOf(group);
  const count = units.reduce((total, { quantity }) => total + quantity, 0);
  const defect = (reason: OptionDefect['reason']): OptionDefect[] => [
    { reason, group_id: group.id, option_id: null, parent_option_id: parent },
  ];
  const defects = count < group.min ? defect('too_few') : count > group.max ? defect('too_many') : [];
  const prices = units.flatMap(({ option, quantity }) => Array<bigint>(quantity).fill(minorOf(option.price)));
  const soldOut = units.flatMap(({ option }) => (option.available ? [] : option.id));
  const of = group.price_method === 'sum' ? null : count;
  const chosen = units.map(({ option, quantity, below }) => {
    const choice = chooseBelow({ groupIds: option.option_group_ids, asked: below, parent: option.id }, groups);
    return { ...choice, options: [{ group, option, quantity, of, options: choice.options }] };
  });
  return joined([{ options: [], defects, soldOut, amount: groupAmount(group, prices) }, ...chosen]);
}

/** Returns the group's defaults; none if one of them is sold out. Defaults open no groups. */
function defaultsOf({ options }: AnyGroup): Wanted[] {
  const defaults = options.filter((option) => option.default);
  return defaults.every(({ available }) => available)
    ? defaults.map((option) => ({ option, quantity: 1, below: [] }))
    : [];
}

const joined = (choices: readonly Choice<AnyGroup>[]): Choice<AnyGroup> => ({
  options: choices.flatMap(({ options }) => options),
  defects: choices.flatMap(({ defects }) => defects),
  soldOut: choices.flatMap(({ soldOut }) => soldOut),
  amount: sum(choices.map(({ amount }) => amount)),
});
