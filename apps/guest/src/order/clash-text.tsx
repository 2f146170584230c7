import { allergenNames } from '@comanda/ui/allergens.ts';
import type { LiveItem } from '@comanda/client/core';
import type { ItemOption } from '@comanda/contracts/item-options';
import { formatConjunction } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest } from '../contexts.ts';
import type { Clash } from '../menu/options.ts';
import { orderMessages } from './messages.ts';
import './clash-text.css';

const clashOf = ({ name, allergens }: Clash): string =>
  orderMessages().clash(name, formatConjunction(allergens.map((each) => allergenNames()[each])));

const ClashNotice = ({ text }: { text: string }) => (
  <p class="edge on-error-soft clash" role="status">
    <Icon name="warning" size={20} /> <span>{text}</span>
  </p>
);

type ClashTextProps = { dish: LiveItem | undefined; options?: readonly ItemOption[] | undefined };
/** Warns that the dish, or one of its options, contains something that the guest can't eat. */
export function ClashText({ dish, options }: ClashTextProps) {
  const clashes = useGuest().basket.clashesOf(dish, options);
  return clashes.length > 0 ? <ClashNotice text={clashes.map((clash) => `${clashOf(clash)}.`).join(' ')} /> : null;
}

/** Shows this warning for all dishes in the basket, before they are sent. The guest can still send them. */
export function ClashesText() {
  const words = orderMessages();
  const clashes = useGuest().basket.clashing.value;
  const [first, ...more] = clashes;
  if (!first) return null;
  return <ClashNotice text={more.length === 0 ? words.clashSend(clashOf(first)) : words.clashesSend(clashes.length)} />;
}
