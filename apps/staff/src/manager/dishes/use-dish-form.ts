import { CallFailure, type Client, type LiveItem } from '@comanda/client/core';
import { fromMinor } from '@comanda/contracts/money';
import { areGroupsKnown, priceFrom } from '@comanda/contracts/options-on-offer';
import { pictureIdOf } from '@comanda/contracts/picture-address';
import { defaultCurrency, type Language } from '@comanda/contracts/rules';
import { useState } from 'preact/hooks';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { goTo } from '../../address.ts';
import { byId } from '../by-id.ts';
import type { Purpose } from '../consent/consent.ts';
import {
  changesOf,
  draftOf,
  emptyDraft,
  fieldOf,
  freePosition,
  invalidFields,
  newDishOf,
  tapAllergen,
  translationsOfCategory,
  withTyped,
  type DishDraft,
  type DraftField,
  type TranslatedField,
  type TypedDish,
} from './dish-draft.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';

export type DishFormProps = {
  client: Client;
  /** The dish to change; null to add one. */
  dish: LiveItem | null;
  draftKey: string;
  session: ManagerSession;
};
export type UsedDishForm = ReturnType<typeof useDishForm>;

/** The state of a dish's form. The input stays until it is saved or cancelled, even while another page is open. */
export function useDishForm({ client, dish, draftKey, session }: DishFormProps) {
  const words = managerMessages().dish;
  const { failure, run, isBusy } = useAction();
  const [shownErrors, setShownErrors] = useState<readonly DraftField[]>([]);
  /** How often saving has failed, because of the form's own checks or the server. */
  const [refusals, setRefusals] = useState(0);
  /** The address of the picture in the last attempt to save, because a rejection concerns that picture. */
  const [savedImage, setSavedImage] = useState('');
  const typed = session.drafts.value.get(draftKey);
  const menu = session.menu.dishes.value ?? [];
  const position = String(freePosition(menu, typed?.category ?? ''));
  const before = dish ? draftOf(dish) : { ...emptyDraft, position };
  const draft = withTyped(before, typed);
  const optionsPrice = priceOfOptions(draft, session);

  const change = (part: TypedDish): void => {
    setShownErrors([]);
    // An upload may finish seconds later, so this keeps what was typed in the meantime.
    session.setDraft(draftKey, { ...session.drafts.value.get(draftKey), ...part });
  };
  const leave = (): void => {
    session.setDraft(draftKey, null);
    goTo('#/manager/menu');
  };
  async function save(): Promise<void> {
    const invalid = invalidFields(draft, optionsPrice);
    setShownErrors(invalid);
    setSavedImage(draft.imageUrl);
    if (invalid.length > 0) return setRefusals(refusals + 1);
    const isSaved = await run(async () => {
      const changes = changesOf(draft, before);
      if (dish && Object.keys(changes).length === 0) return;
      const purpose: Purpose = { kind: 'dish', name: dish?.name ?? null, currency: dish?.currency ?? currencyOf(menu) };
      const { consent } = session;
      if (dish) await consent.run({ call: 'updateMenuItem', input: { id: dish.id, ...changes }, purpose });
      else await consent.run({ call: 'createMenuItem', input: newDishOf(draft), purpose });
    });
    if (!isSaved) return setRefusals(refusals + 1);
    leave();
    session.showSaved(draft.name.trim());
  }
  async function remove({ id }: LiveItem): Promise<void> {
    await client.calls.deleteMenuItem({ id });
    leave();
  }
  const isNameTaken = failure instanceof CallFailure && failure.is('menu_item_exists');
  const errorOf = (field: DraftField): string | undefined => {
    if (field === 'name' && isNameTaken) return words.exists;
    return [...shownErrors, ...fieldsRefusedBy(failure)].includes(field) ? words.invalid[field] : undefined;
  };
  // Only an uploaded picture needs this message. For any other address, the form shows the error in a text field.
  const isPicture = pictureIdOf(draft.imageUrl) !== null && draft.imageUrl === savedImage;
  const pictureRefusal = isPicture && errorOf('imageUrl') !== undefined ? words.pictureRefused.gone : undefined;
  return {
    draft,
    dish,
    menu,
    optionsPrice,
    failure,
    isNameTaken,
    refusals,
    isBusy,
    pictureRefusal,
    ...fieldsOf({ draft, menu, errorOf, change }),
    errorOf,
    change,
    setGroups: (after: readonly number[]): void => change({ groupIds: { before: before.groupIds, after } }),
    tap: (each: Allergen): void => change({ allergens: tapAllergen(typed?.allergens, { each, before, shown: draft }) }),
    leave,
    save,
    remove,
  };
}

type FieldsDeps = {
  draft: DishDraft;
  menu: readonly LiveItem[];
  errorOf: (field: DraftField) => string | undefined;
  change: (part: TypedDish) => void;
};
const fieldsOf = ({ draft, menu, errorOf, change }: FieldsDeps) => ({
  /** The props of a field with this value. */
  field: (
    name: Exclude<DraftField, 'allergens' | 'noAllergens' | 'available' | 'pricing' | 'groupIds' | TranslatedField>,
  ) => ({
    value: draft[name],
    error: errorOf(name),
    autocomplete: 'off',
    // A changed category has its own translations, so those that were typed for the previous one are discarded.
    onInput: (value: string): void =>
      change({ [name]: value, ...(name === 'category' && { categoryTranslations: null }) }),
  }),
  translatedField: (name: TranslatedField, into: Language) => {
    const translations = draft[name] ?? translationsOfCategory(menu, draft.category);
    return {
      lang: into,
      value: translations[into] ?? '',
      error: errorOf(name),
      autocomplete: 'off',
      onInput: (value: string): void => change({ [name]: { ...translations, [into]: value } }),
    };
  },
});

/** Returns what guests pay at least for the dish's options; null if they may cost nothing, or aren't known yet. */
function priceOfOptions({ groupIds, pricing }: DishDraft, { menu, options }: ManagerSession): string | null {
  const offer = { groups: byId(options.groups.value), dishes: byId(menu.dishes.value) };
  if (pricing !== 'fixed' || !areGroupsKnown(groupIds, offer.groups)) return null;
  const free = { price: '0.00', available: true, portions_left: null, allergens: [], option_group_ids: [...groupIds] };
  const { price } = priceFrom(free, offer);
  return price > 0n ? fromMinor(price) : null;
}

/** Returns the menu's currency. All dishes of a restaurant have the same one. */
export const currencyOf = (menu: readonly LiveItem[]): string => menu[0]?.currency ?? defaultCurrency;

function fieldsRefusedBy(failure: unknown): DraftField[] {
  const isOfFields =
    failure instanceof CallFailure && (failure.is('validation_failed') || failure.is('unprocessable_content'));
  if (!isOfFields) return [];
  return failure.problem.errors.flatMap(({ pointer }) => fieldOf(pointer) ?? []);
}
