import { toMinor, fromMinor } from '@comanda/contracts/money';
import { priceFrom } from '@comanda/contracts/options-on-offer';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { formatList, formatMoney } from '@comanda/ui/format.ts';
import { readAmount } from '@comanda/ui/read-amount.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { ruleText } from '../rule-text.ts';
import { currencyOf, type UsedDishForm } from './use-dish-form.ts';

/** The dish's texts as guests read them beside its picture, while they are typed. */
export function GuestTexts({ form, session }: { form: UsedDishForm; session: ManagerSession }) {
  const words = managerMessages().dish;
  const { draft } = form;
  const groups = session.options.groups.value ?? [];
  const price = priceText(form, session);
  return (
    <div class="stack guest-texts">
      <strong>{draft.name.trim() === '' ? words.newTitle : draft.name}</strong>
      {draft.description.trim() !== '' && <p class="guest-texts-description">{draft.description}</p>}
      {draft.allergens.length > 0 && (
        <p>{words.contains(formatList(draft.allergens.map((each) => allergenNames()[each])))}</p>
      )}
      {draft.groupIds.map((id) => {
        const group = groups.find((each) => each.id === id);
        return (
          group && (
            <p key={id}>
              {group.name}: {ruleText(group.min, group.max)}
            </p>
          )
        );
      })}
      {price !== null && <p class="guest-texts-price">{price}</p>}
    </div>
  );
}

/** Returns `from R$ 58.00` if the options that guests must choose differ in price. Null without a price. */
function priceText({ draft, dish, menu, optionsPrice }: UsedDishForm, { options }: ManagerSession): string | null {
  const words = managerMessages().dish;
  const currency = dish?.currency ?? currencyOf(menu);
  // A dish whose size has the price costs 0 itself.
  const costsNothing = optionsPrice === null ? /^0+([.,]0{1,2})?$/ : /^(0+([.,]0{1,2})?)?$/;
  const typed = readAmount(draft.price) ?? (costsNothing.test(draft.price.trim()) ? '0' : null);
  if (typed === null) return null;
  const groups = new Map((options.groups.value ?? []).map((group) => [group.id, group]));
  const { price, varies } = priceFrom(
    {
      price: typed,
      available: true,
      portions_left: null,
      allergens: [],
      option_group_ids: [...draft.groupIds],
    },
    { groups, dishes: new Map(menu.map((each) => [each.id, each])) },
  );
  if (draft.pricing === 'per_kg') return words.perKg(formatMoney(fromMinor(toMinor(typed)), currency));
  const text = formatMoney(fromMinor(price), currency);
  return varies ? words.from(text) : text;
}
