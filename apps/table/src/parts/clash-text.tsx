import { allergenNames } from '@comanda/ui/allergens.ts';
import type { LiveItem } from '@comanda/client';
import { formatConjunction } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { clashesOf } from '../state/basket.ts';
import './clash-text.css';

const clashOf = (dish: LiveItem): string =>
  messages().clash(dish.name, formatConjunction(clashesOf(dish).map((each) => allergenNames()[each])));

const Clash = ({ text }: { text: string }) => (
  <p class="clash" role="status">
    <Icon name="warning" size={20} /> <span>{text}</span>
  </p>
);

/** Says that the dish contains what the guest cannot eat. */
export const ClashText = ({ dish }: { dish: LiveItem | undefined }) =>
  dish && clashesOf(dish).length > 0 ? <Clash text={`${clashOf(dish)}.`} /> : null;

/** The same of all dishes that are about to be sent. The guest decides. */
export function ClashesText({ dishes }: { dishes: readonly LiveItem[] }) {
  const words = messages();
  const [first, ...more] = dishes;
  if (!first) return null;
  return <Clash text={more.length === 0 ? words.clashSend(clashOf(first)) : words.clashesSend(dishes.length)} />;
}
