import type { LiveItem, LiveOrder } from '@comanda/client/core';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { formatConjunction, formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import './allergies.css';
import { waiterMessages } from './messages.ts';

/** Returns the dish's allergens that the text mentions. */
function namedAllergens({ allergens }: Pick<LiveItem, 'allergens'>, text: string): readonly Allergen[] {
  const named = allergensNamedIn(text);
  return allergens.filter((each) => named.includes(each));
}

const namesOf = (allergens: readonly Allergen[]): readonly string[] => allergens.map((each) => allergenNames()[each]);

/** Shows the allergies in these orders, as prominently as on the kitchen's board. */
export function Allergies({ orders }: { orders: readonly LiveOrder[] }) {
  const words = waiterMessages();
  const stated = orders.flatMap(({ id, ticket, allergies }) => (allergies ? [{ id, ticket, allergies }] : []));
  return (
    <>
      {stated.map(({ id, ticket, allergies }) => (
        <p key={id} class="waiter-allergies">
          <Icon name="warning" size={22} />
          <span>
            {words.allergyOf(ticket)} <strong>{allergies}</strong>
          </span>
        </p>
      ))}
    </>
  );
}

type DishAllergensProps = { dish: LiveItem; allergies: string; showsAll: boolean };

/**
 * Shows a dish's allergens if the guest must avoid any of them, with those highlighted. With `showsAll`, shows every dish's
 * allergens.
 */
export function DishAllergens({ dish, allergies, showsAll }: DishAllergensProps) {
  const words = waiterMessages().order;
  const isClash = namedAllergens(dish, allergies).length > 0;
  if (!isClash && !showsAll) return null;
  const text = dish.allergens.length === 0 ? words.unstated : words.contains(formatList(namesOf(dish.allergens)));
  return <small class={isClash ? 'waiter-dish-clash' : undefined}>{text}</small>;
}

/** Returns the dishes with an allergen that the text mentions. */
export const clashesOf = (dishes: readonly LiveItem[], allergies: string): readonly LiveItem[] =>
  dishes.filter((dish) => namedAllergens(dish, allergies).length > 0);

type WarningProps = { dishes: readonly LiveItem[]; allergies: string };

/** Says which selected dishes contain something that the guest must avoid, and for which dishes the allergens aren't known. */
export function AllergyWarning({ dishes, allergies }: WarningProps) {
  const words = waiterMessages().order;
  const clashes = dishes.flatMap((dish) => {
    const clashing = namedAllergens(dish, allergies);
    return clashing.length === 0 ? [] : [words.clash(dish.name, formatConjunction(namesOf(clashing)))];
  });
  const unstated = dishes.filter(({ allergens }) => allergens.length === 0).map(({ name }) => name);
  return (
    <div role="status" class="waiter-clash">
      {clashes.length > 0 && (
        <div class="waiter-allergies">
          <Icon name="warning" size={22} />
          <div>
            {clashes.map((text) => (
              <strong key={text}>{text}</strong>
            ))}
            {words.clashToDo}
          </div>
        </div>
      )}
      {allergies.trim() !== '' && unstated.length > 0 && <p>{words.unstatedAsk(formatList(unstated))}</p>}
    </div>
  );
}
