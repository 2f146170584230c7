import type { LiveItem } from '@comanda/client/core';
import { fromMinor } from '@comanda/contracts/money';
import { canBeOrdered, priceFrom } from '@comanda/contracts/options-on-offer';
import { fewPortions } from '@comanda/ui/availability.ts';
import { IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { contentsOf, DishAllergens } from './allergies.tsx';
import type { OpenDish } from './dish-sheet.tsx';
import './dish-tile.css';
import { countOf, plainLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { needsChoice } from './offer.ts';
import { shortMoney } from './short-money.ts';
import type { WaiterSession } from './waiter-session.ts';

type DishTileProps = {
  dish: LiveItem;
  session: WaiterSession;
  /** True while the waiter searches for a dish. Results show all their allergens. */
  isSearching: boolean;
  onOpen: OpenDish;
};

/**
 * A dish to order: each tap adds one, or asks what must be chosen or entered first. Once it is on the order, it can be reduced and
 * changed.
 */
export function DishTile({ dish, session, isSearching, onOpen }: DishTileProps) {
  const words = waiterMessages().order;
  const { draft } = session;
  const { id, name, portions_left: left } = dish;
  const { lines, allergies } = draft.draft.value;
  const offer = session.offer.offer.value;
  const own = lines.filter(({ dishId }) => dishId === id);
  const last = own.at(-1);
  const [contents] = contentsOf([{ dishId: id, options: [] }], offer);
  const isOff = !canBeOrdered(dish, offer);
  const add = (): void => {
    if (needsChoice(dish, offer)) onOpen({ dishId: id });
    else draft.add(plainLine(dish, offer.groups));
  };
  return (
    <li class={classNames('column waiter-dish', isOff && 'waiter-dish-off', last && 'waiter-dish-chosen')}>
      {!isOff && <button type="button" class="waiter-dish-add" aria-label={words.add(name)} onClick={add} />}
      <span class="waiter-dish-name">
        <span class="waiter-dish-title">
          {name}
          {last && <output aria-label={words.ordered(name)}>{countOf(own)}</output>}
        </span>
        <DishAllergens contents={contents} allergies={allergies} shows={isSearching ? 'all' : 'clashes'} />
        {last && last.remarks !== '' && <mark>{last.remarks}</mark>}
      </span>
      <span class="row waiter-dish-foot">
        {last && (
          <IconButton label={words.oneLess(name)} onClick={() => draft.setQuantity(last.id, last.quantity - 1)}>
            <Icon name="minus" />
          </IconButton>
        )}
        <small>
          <span class="money">{last ? shortMoney(last.price, last.currency) : priceText(dish, offer)}</span>
          {isOff ? ` · ${words.soldOut}` : left !== null && left <= fewPortions && ` · ${words.left(left)}`}
        </small>
        {last && (
          <IconButton label={words.remarks(name)} onClick={() => onOpen({ dishId: id, lineId: last.id })}>
            <LateIcon name="pencil" />
          </IconButton>
        )}
      </span>
    </li>
  );
}

function priceText(dish: LiveItem, offer: Parameters<typeof priceFrom>[1]): string {
  const words = waiterMessages().order;
  const { price, varies } = priceFrom(dish, offer);
  const text = shortMoney(fromMinor(price), dish.currency);
  if (dish.pricing === 'open') return words.openPrice;
  if (dish.pricing === 'per_kg') return words.perKilo(text);
  return varies ? words.from(text) : text;
}
