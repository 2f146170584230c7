import type { LiveItem } from '@comanda/client';
import { messages } from '../messages.ts';
import { isSoldOut } from '../state/menu.ts';

/** From so many portions down, the menu says how many are left. */
const fewPortions = 5;

export function AvailabilityTag({ dish }: { dish: LiveItem }) {
  const words = messages();
  if (isSoldOut(dish)) return <span class="tag tag-out">{words.soldOut}</span>;
  const left = dish.portions_left;
  return left !== null && left <= fewPortions ? <span class="tag tag-few">{words.left(left)}</span> : null;
}
