import type { LiveItem } from '@comanda/client/core';
import { maxQuantity } from '@comanda/contracts/rules';
import { fewPortions, isSoldOut } from '@comanda/ui/availability.ts';
import { IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { DishAllergens } from './allergies.tsx';
import './dish-tile.css';
import { waiterMessages } from './messages.ts';
import { shortMoney } from './short-money.ts';
import type { WaiterSession } from './waiter-session.ts';

type DishTileProps = {
  dish: LiveItem;
  session: WaiterSession;
  /** True while the waiter searches for a dish. Results show all their allergens. */
  isSearching: boolean;
  onRemarks: (dishId: number) => void;
};

/** A dish to order: each tap adds one. Once it is on the order, it can be reduced and gets remarks. */
export function DishTile({ dish, session: { draft }, isSearching, onRemarks }: DishTileProps) {
  const words = waiterMessages().order;
  const { id, name, price, currency, portions_left: left } = dish;
  const { lines, allergies } = draft.draft.value;
  const line = lines.find(({ dishId }) => dishId === id);
  const quantity = line?.quantity ?? 0;
  const isOff = isSoldOut(dish);
  const add = (): void => {
    if (!line) draft.add(dish);
    else if (quantity < maxQuantity) draft.setQuantity(id, quantity + 1);
  };
  return (
    <li class={classNames('waiter-dish', isOff && 'waiter-dish-off', line && 'waiter-dish-chosen')}>
      {!isOff && <button type="button" class="waiter-dish-add" aria-label={words.add(name)} onClick={add} />}
      <span class="waiter-dish-name">
        <span class="waiter-dish-title">
          {name}
          {line && <output aria-label={words.ordered(name)}>{quantity}</output>}
        </span>
        <DishAllergens dish={dish} allergies={allergies} showsAll={isSearching} />
        {line && line.remarks !== '' && <mark>{line.remarks}</mark>}
      </span>
      <span class="waiter-dish-foot">
        {line && (
          <IconButton label={words.oneLess(name)} onClick={() => draft.setQuantity(id, quantity - 1)}>
            <Icon name="minus" />
          </IconButton>
        )}
        <small>
          <span class="money">{shortMoney(price, currency)}</span>
          {isOff ? ` · ${words.soldOut}` : left !== null && left <= fewPortions && ` · ${words.left(left)}`}
        </small>
        {line && (
          <IconButton label={words.remarks(name)} onClick={() => onRemarks(id)}>
            <LateIcon name="pencil" />
          </IconButton>
        )}
      </span>
    </li>
  );
}
