import type { LiveItem } from '@comanda/client/core';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';
import { hasOptions } from './menu.ts';

/** A dish's price; the lowest one if it depends on the options. Empty until that is known. */
export function DishPrice({ dish }: { dish: LiveItem }) {
  const words = messages();
  const { price, varies } = useGuest().options.value?.priceFrom(dish) ?? { price: dish.price, varies: null };
  const money = formatMoney(price, dish.currency);
  if (dish.pricing === 'open') return <>{words.askPrice}</>;
  const isKnown = varies !== null || !hasOptions(dish);
  return (
    <span>
      <span class={classNames('money', varies === true && 'money-from')} translate={false}>
        {!isKnown ? '\u00a0' : dish.pricing === 'per_kg' ? words.perKg(money) : varies ? words.from(money) : money}
      </span>
      {dish.pricing === 'per_kg' && words.askUs}
    </span>
  );
}
