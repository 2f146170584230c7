import type { BodyOf } from '@comanda/contracts/endpoint';
import type { createOptionGroup, SentOption, updateOptionGroup } from '@comanda/contracts/option-groups';
import { normalPrice } from '@comanda/contracts/options';
import type { ProblemMembers } from '@comanda/contracts/problem';
import { optionLimits } from '@comanda/contracts/rules';
import { trimmed } from './menu-item.ts';
import { openedBy, type Option, type OptionGroup } from './option-group.ts';

export type GroupFields = Omit<BodyOf<typeof updateOptionGroup>, 'version'> | BodyOf<typeof createOptionGroup>;
export type FieldError = NonNullable<ProblemMembers['errors']>[number];

/** The id of a group or option that is not stored yet. */
const noId = 0;
export const newGroup: OptionGroup = {
  id: noId,
  name: '',
  name_translations: {},
  min: 0,
  max: 1,
  price_method: 'sum',
  free: 0,
  options: [],
  version: 0,
  deleted: false,
};

/** Returns the group's next version, with the sent fields replaced. New options have the id 0. */
export const withGroupFields = (before: OptionGroup, fields: GroupFields): OptionGroup => ({
  ...before,
  name: fields.name?.trim() ?? before.name,
  name_translations: trimmed(fields.name_translations) ?? before.name_translations,
  min: fields.min ?? before.min,
  max: fields.max ?? before.max,
  price_method: fields.price_method ?? before.price_method,
  free: fields.free ?? before.free,
  options: sentOptions(fields)?.map((sent) => optionOf(sent, storedFor(sent, before))) ?? before.options,
  version: before.version + 1,
});

const sentOptions = ({ options }: GroupFields): readonly SentOption[] | undefined => options;
const storedFor = ({ id }: SentOption, { options }: OptionGroup): Option | undefined =>
  id === undefined ? undefined : options.find((option) => option.id === id);

function optionOf(sent: SentOption, stored: Option | undefined): Option {
  const itemId = sent.item_id === undefined ? (stored?.item_id ?? null) : sent.item_id;
  const { kitchen_name: kitchenName = stored?.kitchen_name ?? null, allergens = stored?.allergens ?? null } = sent;
  return {
    id: stored?.id ?? noId,
    name: sent.name?.trim() ?? stored?.name ?? '',
    name_translations: trimmed(sent.name_translations) ?? stored?.name_translations ?? {},
    kitchen_name: kitchenName?.trim() ?? null,
    price: sent.price === undefined ? (stored?.price ?? '0.00') : normalPrice(sent.price),
    max_each: sent.max_each ?? stored?.max_each ?? 1,
    allergens: itemId === null ? allergens : null,
    available: sent.available ?? stored?.available ?? true,
    default: sent.default ?? stored?.default ?? false,
    option_group_ids: sent.option_group_ids ?? stored?.option_group_ids ?? [],
    item_id: itemId,
  };
}

type Change = {
  before: OptionGroup;
  after: OptionGroup;
  fields: GroupFields;
  /** All groups before the change. */
  groups: readonly OptionGroup[];
  /** The ids of the dishes on the menu that may be components. */
  dishIds: ReadonlySet<number>;
};

type OptionField = keyof SentOption;
/** Returns everything that is wrong with a group's next version, with a pointer to each field that was sent. */
export function groupErrors(change: Change): FieldError[] {
  const { before, after, fields, groups } = change;
  const isTooMany = before.id === noId && groups.length >= optionLimits.maxGroups;
  const errors = [
    ...(isTooMany ? [{ pointer: '', detail: `there are already ${optionLimits.maxGroups} option groups` }] : []),
    ...errorsOfGroup(after, fields),
    ...after.options.flatMap((_option, at) => errorsOfOption(change, at)),
  ];
  return [...new Map(errors.map((error) => [error.pointer, error])).values()];
}

/** Returns a pointer to the first of these fields that was sent, so that the error is about something in the request. */
const firstSent = (fields: GroupFields, names: readonly [keyof GroupFields, ...(keyof GroupFields)[]]): string =>
  `/${names.find((name) => fields[name] !== undefined) ?? names[0]}`;

function errorsOfGroup({ min, max, free, price_method: method, options }: OptionGroup, fields: GroupFields) {
  const units = options.reduce((total, { max_each: each }) => total + each, 0);
  const defaults = options.filter((option) => option.default).length;
  const checks: [isWrong: boolean, names: Parameters<typeof firstSent>[1], detail: string][] = [
    [min > max, ['min', 'max'], 'min must not be above max'],
    [min > units, ['min', 'options'], 'min must not be above the sum of all max_each'],
    [free > max, ['free', 'max'], 'free must not be above max'],
    [free > 0 && method !== 'sum', ['free', 'price_method'], 'free must be 0 unless price_method is sum'],
    [
      defaults > 0 && min > 0 && (defaults < min || defaults > max),
      ['options', 'min', 'max'],
      'a group has no default options, or min to max of them',
    ],
  ];
  return checks.flatMap(([isWrong, names, detail]) => (isWrong ? [{ pointer: firstSent(fields, names), detail }] : []));
}

function errorsOfOption({ before, after, fields, groups, dishIds }: Change, at: number): FieldError[] {
  const option = after.options[at];
  const sent = sentOptions(fields)?.[at];
  if (!option) return [];
  const isNew = option.id === noId;
  const opened = option.option_group_ids;
  const errors: FieldError[] = [];
  /** Adds an error about the first of the option's `names` that was sent; about the group's `other` field if none was. */
  const add = (
    names: readonly [OptionField, ...OptionField[]],
    detail: string,
    other: keyof GroupFields = 'options',
  ) => {
    const named = sent && names.find((name) => sent[name] !== undefined);
    const isOfGroup = !sent || (!named && other !== 'options' && fields[other] !== undefined);
    errors.push({ pointer: isOfGroup ? `/${other}` : `/options/${at}/${named ?? names[0]}`, detail });
  };

  if (sent?.id !== undefined && isNew) add(['id'], 'must be an option of this group');
  else if (isNew && sent?.name === undefined) add(['name'], 'is required for a new option');
  if (isNew && sent?.id === undefined && sent?.price === undefined) add(['price'], 'is required for a new option');
  if (option.price.startsWith('-') && after.price_method !== 'sum')
    add(['price'], 'the price must not be below 0 unless price_method is sum', 'price_method');
  if (option.default && after.min === 0)
    add(['default'], 'a default option needs a group with min of at least 1', 'min');
  else if (option.default && (Number(option.price) !== 0 || opened.length > 0))
    add(['default', 'price', 'option_group_ids'], 'a default option needs the price 0 and no option_group_ids');
  if (opened.length > 0 && option.max_each !== 1)
    add(['max_each', 'option_group_ids'], 'max_each must be 1 for an option with option_group_ids');
  for (const [index, id] of (sent?.option_group_ids ?? []).entries())
    if (!groups.some((group) => group.id === id))
      errors.push({ pointer: `/options/${at}/option_group_ids/${index}`, detail: 'is not an option group' });
  if (sent && !opensChain({ before, after, groups }, opened))
    add(['option_group_ids'], `a chain of groups has at most ${optionLimits.maxDepth} and no circle`);
  if (typeof sent?.item_id === 'number' && !dishIds.has(sent.item_id))
    add(['item_id'], 'must be a dish on the menu with a fixed price');
  if (sent?.allergens && option.item_id !== null) add(['allergens'], 'must be null: those of the dish item_id count');
  return errors;
}

/** Returns true if a group that opens these groups is in no chain that is too long, and in no circle. */
function opensChain({ before, after, groups }: Pick<Change, 'before' | 'after' | 'groups'>, opened: readonly number[]) {
  const above = levelsAbove(before.id, groups);
  const opens = new Map(groups.map((group) => [group.id, openedBy(group.id === before.id ? after : group)]));
  const fits = (id: number, levels: number): boolean =>
    levels > 0 && (opens.get(id) ?? []).every((below) => fits(below, levels - 1));
  return opened.every((id) => fits(id, optionLimits.maxDepth - above - 1));
}

/** Returns how many groups a chain has before it gets to this group. */
function levelsAbove(id: number, groups: readonly OptionGroup[]): number {
  if (id === noId) return 0;
  const parents = groups.filter((group) => openedBy(group).includes(id));
  return Math.max(0, ...parents.map((parent) => 1 + levelsAbove(parent.id, groups)));
}
