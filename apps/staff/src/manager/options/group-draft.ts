import type { Input } from '@comanda/client/core';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { minorOf, normalPrice } from '@comanda/contracts/options';
import type { Translations } from '@comanda/contracts/translations';
import { languages } from '@comanda/contracts/rules';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { language } from '@comanda/ui/language.ts';

/** An option as entered in the form. */
export type OptionDraft = {
  /** Identifies the option in the form, also before it is stored. */
  key: string;
  /** Null for a new option. */
  id: number | null;
  name: string;
  nameTranslations: Translations;
  kitchenName: string;
  price: string;
  maxEach: number;
  /** Null if they are not stated. */
  allergens: readonly Allergen[] | null;
  isDefault: boolean;
  /** The groups that the option opens. */
  groupIds: readonly number[];
  /** The dish that the option adds to the order; null if it adds none. */
  itemId: number | null;
};
/** A group as entered in the form. */
export type GroupDraft = {
  name: string;
  nameTranslations: Translations;
  min: number;
  max: number;
  method: OptionGroup['price_method'];
  free: number;
  options: readonly OptionDraft[];
  /** How many new options the draft has had. Each has its own key, even if an earlier one was removed. */
  added: number;
};
/** What is wrong in a group, or in the option with this key. */
export type GroupFault = {
  field: 'name' | 'min' | 'defaults' | 'options' | 'optionName' | 'price' | 'below0' | 'component' | 'other';
  key: string | null;
};

const newOptionDraft = (key: string): OptionDraft => ({
  key,
  id: null,
  name: '',
  nameTranslations: {},
  kitchenName: '',
  price: '',
  maxEach: 1,
  allergens: null,
  isDefault: false,
  groupIds: [],
  itemId: null,
});
/** Adds an empty option at the end of the draft. */
export function withNewOption(draft: GroupDraft): GroupDraft {
  const added = draft.added + 1;
  return { ...draft, added, options: [...draft.options, newOptionDraft(`new-${added}`)] };
}
const emptyGroup: GroupDraft = {
  name: '',
  nameTranslations: {},
  min: 1,
  max: 1,
  method: 'sum',
  free: 0,
  options: [],
  added: 0,
};
export const newGroupDraft = (): GroupDraft => withNewOption(withNewOption(emptyGroup));

const shownPrice = (price: string): string => (language.value === 'pt-BR' ? price.replace('.', ',') : price);

export const draftOfGroup = (group: OptionGroup): GroupDraft => ({
  name: group.name,
  nameTranslations: group.name_translations,
  min: group.min,
  max: group.max,
  method: group.price_method,
  free: group.free,
  added: 0,
  options: group.options.map((option) => ({
    key: String(option.id),
    id: option.id,
    name: option.name,
    nameTranslations: option.name_translations,
    kitchenName: option.kitchen_name ?? '',
    price: shownPrice(option.price),
    maxEach: option.max_each,
    allergens: option.allergens,
    isDefault: option.default,
    groupIds: option.option_group_ids,
    itemId: option.item_id,
  })),
});

/** A new row that nobody has filled in is ignored. */
const isBlank = ({ id, name, price, itemId }: OptionDraft): boolean =>
  id === null && name.trim() === '' && price.trim() === '' && itemId === null;
const entered = ({ options }: GroupDraft): readonly OptionDraft[] => options.filter((option) => !isBlank(option));

/** Converts `4`, `4,50`, `-2.5` or nothing, which is no extra charge, to the API's format; null if it isn't an amount. */
function priceOf(typed: string): string | null {
  const text = typed.trim().replace(',', '.').replace(/^\+/, '').replace('−', '-');
  if (text === '') return '0.00';
  return /^-?\d{1,5}(\.\d{1,2})?$/.test(text) ? normalPrice(text.replace(/^(-?)0+(?=\d)/, '$1')) : null;
}

const maxName = 60;
const isName = (name: string): boolean => name.trim() !== '' && name.trim().length <= maxName;

/** Returns what the server would reject. */
export function faultsOfGroup(draft: GroupDraft): GroupFault[] {
  const options = entered(draft);
  const of = (field: GroupFault['field'], key: string | null = null): GroupFault => ({ field, key });
  const units = options.reduce((total, { maxEach }) => total + maxEach, 0);
  const defaults = draft.min === 0 ? 0 : options.filter(({ isDefault }) => isDefault).length;
  return [
    ...(isName(draft.name) ? [] : [of('name')]),
    ...(options.length === 0 ? [of('options')] : draft.min > units ? [of('min')] : []),
    ...(defaults > 0 && (defaults < draft.min || defaults > draft.max) ? [of('defaults')] : []),
    ...options.flatMap(({ key, name, price }) => {
      // No extra charge is usual. But one forgotten flavour would halve the price of a pizza whose average counts.
      const amount = price.trim() === '' && draft.method !== 'sum' ? null : priceOf(price);
      const isBelow0 = amount !== null && minorOf(amount) < 0n && draft.method !== 'sum';
      return [
        ...(isName(name) ? [] : [of('optionName', key)]),
        ...(amount === null ? [of('price', key)] : isBelow0 ? [of('below0', key)] : []),
      ];
    }),
  ];
}

/** Drops empty translations, and sorts the others so that they can be compared. */
const written = (translations: Translations): Translations =>
  Object.fromEntries(
    languages.flatMap((each) => {
      const text = translations[each]?.trim() ?? '';
      return text === '' ? [] : [[each, text]];
    }),
  );

/** Returns true if the option can be preselected: it must cost nothing and open no further groups. */
export const mayBeDefault = ({ price, groupIds }: OptionDraft): boolean =>
  minorOf(priceOf(price) ?? '1') === 0n && groupIds.length === 0;

type SentGroup = Input<'createOptionGroup'>;
/** Converts the draft to the input of the call that adds the group. */
const bodyOfGroup = (draft: GroupDraft): SentGroup => ({
  name: draft.name.trim(),
  name_translations: written(draft.nameTranslations),
  min: draft.min,
  max: draft.max,
  price_method: draft.method,
  free: draft.method === 'sum' ? Math.min(draft.free, draft.max) : 0,
  options: entered(draft).map((option) => ({
    ...(option.id !== null && { id: option.id }),
    name: option.name.trim(),
    name_translations: written(option.nameTranslations),
    kitchen_name: option.kitchenName.trim() || null,
    price: priceOf(option.price) ?? '',
    max_each: option.groupIds.length > 0 ? 1 : option.maxEach,
    ...(option.itemId === null && { allergens: option.allergens && [...option.allergens] }),
    default: draft.min > 0 && option.isDefault && mayBeDefault(option),
    option_group_ids: [...option.groupIds],
    item_id: option.itemId,
  })),
});

/** Returns the input of a call that adds the group, without what nobody has entered: no manager authorizes that. */
export function newGroupBody(draft: GroupDraft): SentGroup {
  const { name_translations: names = {}, free = 0, ...body } = bodyOfGroup(draft);
  return {
    ...body,
    ...(free > 0 && { free }),
    ...(Object.keys(names).length > 0 && { name_translations: names }),
  };
}

/** Returns the group's members that the draft changes. */
export function changesOfGroup(draft: GroupDraft, before: GroupDraft): Partial<SentGroup> {
  const [next, was] = [bodyOfGroup(draft), bodyOfGroup(before)];
  return Object.fromEntries(
    Object.entries(next).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key as keyof SentGroup]),
    ),
  );
}

/** Returns true if another manager has changed the group in the meantime. Whether options are sold out doesn't count. */
export const isSameGroup = (one: OptionGroup, other: OptionGroup): boolean => comparable(one) === comparable(other);
const comparable = ({ version: _version, options, ...group }: OptionGroup): string =>
  JSON.stringify([group, options.map(({ available: _available, ...option }: Option) => option)]);

/** Returns the fault for a pointer in the server's response, such as `/options/3/price`. */
export function faultAt(pointer: string, draft: GroupDraft): GroupFault {
  const [, member = '', at = '', field = ''] = pointer.split('/');
  if (member === 'name') return { field: 'name', key: null };
  if (member === 'min' || member === 'max') return { field: 'min', key: null };
  const option = member === 'options' ? entered(draft)[Number(at)] : undefined;
  if (!option) return { field: member === 'options' ? 'options' : 'other', key: null };
  const fields = { name: 'optionName', price: 'price', default: 'defaults', item_id: 'component' } as const;
  return { field: field in fields ? fields[field as keyof typeof fields] : 'other', key: option.key };
}
