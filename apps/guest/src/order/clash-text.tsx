import { allergenNames } from '@comanda/ui/allergens.ts';
import type { LiveItem } from '@comanda/client/core';
import { formatConjunction } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest } from '../contexts.ts';
import { orderMessages } from './messages.ts';
import './clash-text.css';

const clashOf = (dish: LiveItem, allergens: LiveItem['allergens']): string =>
  orderMessages().clash(dish.name, formatConjunction(allergens.map((each) => allergenNames()[each])));

const Clash = ({ text }: { text: string }) => (
  <p class="clash" role="status">
    <Icon name="warning" size={20} /> <span>{text}</span>
  </p>
);

/** Warns that the dish contains something that the guest can't eat. */
export function ClashText({ dish }: { dish: LiveItem | undefined }) {
  const clashes = useGuest().basket.clashesOf(dish);
  return dish && clashes.length > 0 ? <Clash text={`${clashOf(dish, clashes)}.`} /> : null;
}

/** Shows this warning for all dishes in the basket, before they are sent. The guest can still send them. */
export function ClashesText() {
  const words = orderMessages();
  const { clashing, clashesOf } = useGuest().basket;
  const dishes = clashing.value;
  const [first, ...more] = dishes;
  if (!first) return null;
  return (
    <Clash
      text={more.length === 0 ? words.clashSend(clashOf(first, clashesOf(first))) : words.clashesSend(dishes.length)}
    />
  );
}
