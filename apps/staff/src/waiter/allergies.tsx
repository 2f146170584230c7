import type { LiveOrder } from '@comanda/client/core';
import type { ItemOption } from '@comanda/contracts/item-options';
import { allergensOf, areStated } from '@comanda/contracts/options-on-offer';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { formatConjunction, formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { flat, type Offer } from '@comanda/ui/options/choice.ts';
import './allergies.css';
import type { DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';

/** What is known about the allergens in a dish of an order, with its options. */
type Contents = {
  name: string;
  allergens: readonly Allergen[];
  /** False if the allergens of the dish, or of one of its options, aren't known. */
  areStated: boolean;
  /** True if the dish has options and none of them is chosen yet. */
  isWithoutOptions: boolean;
};

/** Returns what is known about the allergens in these lines. A dish that the menu doesn't have is left out. */
export const contentsOf = (lines: readonly Pick<DraftLine, 'dishId' | 'options'>[], offer: Offer): Contents[] =>
  lines.flatMap(({ dishId, options }) => {
    const dish = offer.dishes.get(dishId);
    if (!dish) return [];
    const ofOptions = flat(options).map((option) => allergensOfOption(option, offer));
    return {
      name: dish.name,
      allergens: [...new Set([...dish.allergens, ...ofOptions.flatMap((allergens) => allergens ?? [])])],
      areStated: areStated(dish) && ofOptions.every((allergens) => allergens !== null),
      isWithoutOptions: options.length === 0 && (dish.option_group_ids ?? []).length > 0,
    };
  });

/** Returns an option's allergens; null if they, or the option, aren't known. */
function allergensOfOption({ id }: ItemOption, offer: Offer): readonly Allergen[] | null {
  const options = [...offer.groups.values()].flatMap((group) => group.options);
  const option = options.find((each) => each.id === id);
  return option ? allergensOf(option, offer) : null;
}

/** Returns those of the allergens that the text mentions. */
function namedAllergens({ allergens }: Pick<Contents, 'allergens'>, text: string): readonly Allergen[] {
  const named = allergensNamedIn(text);
  return allergens.filter((each) => named.includes(each));
}

const namesOf = (allergens: readonly Allergen[]): readonly string[] => allergens.map((each) => allergenNames()[each]);

/** Returns the dishes that a waiter must ask about before ordering: with an allergen that the text mentions, or not stated. */
export const doubtsOf = (contents: readonly Contents[], allergies: string): readonly Contents[] =>
  allergies.trim() === ''
    ? []
    : contents.filter((each) => !each.areStated || namedAllergens(each, allergies).length > 0);

/** Shows the allergies in these orders, as prominently as on the kitchen's board. */
export function Allergies({ orders }: { orders: readonly LiveOrder[] }) {
  const words = waiterMessages();
  const stated = orders.flatMap(({ id, ticket, allergies }) => (allergies ? [{ id, ticket, allergies }] : []));
  return (
    <>
      {stated.map(({ id, ticket, allergies }) => (
        <p key={id} class="edge waiter-allergies">
          <Icon name="warning" size={22} />
          <span>
            {words.allergyOf(ticket)} <strong>{allergies}</strong>
          </span>
        </p>
      ))}
    </>
  );
}

type DishAllergensProps = {
  contents: Contents | undefined;
  allergies: string;
  /** Which dishes' allergens are shown: only if the guest must avoid any of them, or also others, or even if it has none. */
  shows: 'clashes' | 'some' | 'all';
};

/** Shows a dish's allergens. Those that the guest must avoid are highlighted. */
export function DishAllergens({ contents, allergies, shows }: DishAllergensProps) {
  const words = waiterMessages().order;
  if (!contents) return null;
  const isClash = namedAllergens(contents, allergies).length > 0;
  const isFree = contents.areStated && contents.allergens.length === 0;
  if (!isClash && (shows === 'clashes' || (shows === 'some' && isFree))) return null;
  const parts = [
    isFree && (contents.isWithoutOptions ? words.noAllergensWithout : words.noAllergens),
    contents.allergens.length > 0 && words.contains(formatList(namesOf(contents.allergens))),
    !contents.areStated && words.unstated,
  ];
  return <small class={isClash ? 'waiter-dish-clash' : undefined}>{parts.filter(Boolean).join('. ')}</small>;
}

type WarningProps = { contents: readonly Contents[]; allergies: string };

/** Says which selected dishes contain something that the guest must avoid, and for which dishes the allergens aren't known. */
export function AllergyWarning({ contents, allergies }: WarningProps) {
  const words = waiterMessages().order;
  const clashes = contents.flatMap((each) => {
    const clashing = namedAllergens(each, allergies);
    return clashing.length === 0 ? [] : [words.clash(each.name, formatConjunction(namesOf(clashing)))];
  });
  const unstated = new Set(contents.filter((each) => !each.areStated).map(({ name }) => name));
  return (
    <div role="status" class="stack gap-2 waiter-clash">
      {clashes.length > 0 && (
        <div class="edge waiter-allergies">
          <Icon name="warning" size={22} />
          <div>
            {[...new Set(clashes)].map((text) => (
              <strong key={text}>{text}</strong>
            ))}
            {words.clashToDo}
          </div>
        </div>
      )}
      {allergies.trim() !== '' && unstated.size > 0 && <p>{words.unstatedAsk(formatList([...unstated]))}</p>}
    </div>
  );
}
