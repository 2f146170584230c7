import { allergenNames } from '@comanda/ui/allergens.ts';
import type { Client, LiveItem } from '@comanda/client/core';
import { fromMinor } from '@comanda/contracts/money';
import { areGroupsKnown, priceFrom } from '@comanda/contracts/options-on-offer';
import type { Language } from '@comanda/contracts/rules';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { formatList } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { formatAmount } from '../../currency-sign.ts';
import './dish-row.css';
import { Failure } from '../failure.tsx';
import { byId } from '../by-id.ts';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { Switch } from '@comanda/ui/switch.tsx';

/** Returns the languages in which this dish has no name, although other dishes of the restaurant do. */
function missingIn(dish: LiveItem, { restaurant, menu }: ManagerSession): readonly Language[] {
  const isTranslated = (each: LiveItem, into: Language): boolean => each.name_translations?.[into] !== undefined;
  return restaurant.others.value.filter(
    (into) => !isTranslated(dish, into) && (menu.dishes.value ?? []).some((each) => isTranslated(each, into)),
  );
}

/** The dish's price; the lowest one if guests must choose options that differ in price. */
function RowPrice({ dish, session }: Pick<DishRowProps, 'dish' | 'session'>) {
  const { price, currency, pricing, option_group_ids: groupIds = [] } = dish;
  const offer = { groups: byId(session.options.groups.value), dishes: byId(session.menu.dishes.value) };
  if (pricing === 'per_kg')
    return (
      <>
        {formatAmount(price, currency)}
        <small>/kg</small>
      </>
    );
  if (!areGroupsKnown(groupIds, offer.groups)) return <>…</>;
  const from = priceFrom(dish, offer);
  const amount = formatAmount(fromMinor(from.price), currency);
  return from.varies ? <span class="menu-row-from">{managerMessages().dish.from(amount)}</span> : <>{amount}</>;
}

type DishRowProps = { client: Client; dish: LiveItem; session: ManagerSession; isChosen: boolean };

/** A dish in the menu's list, with the switch that takes it off sale. */
export function DishRow({ client, dish, session, isChosen }: DishRowProps) {
  const words = managerMessages().menu;
  const { failure, run, isBusy } = useAction();
  const isOff = isSoldOut(dish);
  const setOnSale = (available: boolean): void =>
    void run(async () => {
      // A dish that has run out of portions is put back on sale without a limit.
      const portions = available && dish.portions_left === 0 ? { portions_left: null } : {};
      await client.calls.setAvailability({ id: dish.id, available, ...portions });
    });
  return (
    <li class={classNames('menu-row', isChosen && 'menu-row-chosen', isOff && 'menu-row-off')}>
      <div class="stack menu-row-link">
        <span class="menu-row-picture">
          <DishPicture url={dish.image_url} tile={dish.position} isFaded={isOff} />
        </span>
        <span class="stack menu-row-text">
          <a class="menu-row-name" href={`#/manager/menu/${dish.id}`}>
            <span class="visually-hidden">{words.edit}</span>{' '}
            <span lang={session.restaurant.language.value}>{dish.name}</span>
          </a>
          {dish.allergens.length === 0 ? (
            dish.allergens_stated === true ? (
              <span>{managerMessages().dish.noneOf14}</span>
            ) : (
              <span class="manager-warning">{words.noAllergens}</span>
            )
          ) : (
            <span>{formatList(dish.allergens.map((each) => allergenNames()[each]))}</span>
          )}
          {missingIn(dish, session).map((each) => (
            <span key={each}>{words.notIn(managerMessages().languages[each])}</span>
          ))}
          {session.drafts.value.has(String(dish.id)) && <span class="manager-warning">{words.notSaved}</span>}
        </span>
        <span class={classNames('dim menu-row-portions', (dish.portions_left ?? 9) <= 5 && 'manager-warning')}>
          {isOff ? words.soldOut : dish.portions_left !== null && words.left(dish.portions_left)}
        </span>
        <span class="menu-row-price">
          <RowPrice dish={dish} session={session} />
        </span>
      </div>
      <Switch label={words.onSaleOf(dish.name)} isOn={!isOff} isBusy={isBusy} onChange={setOnSale} />
      <Failure of={failure} />
    </li>
  );
}
