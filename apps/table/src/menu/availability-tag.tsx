import type { LiveItem } from '@comanda/client';
import { messages } from '../messages.ts';
import { isSoldOut } from './menu.ts';

/** The menu shows how many portions are left, from this number down. */
const fewPortions = 5;

export function AvailabilityTag({ dish }: { dish: LiveItem }) {
  const words = messages();
  if (isSoldOut(dish)) return <span class="tag tag-out">{words.soldOut}</span>;
  const left = dish.portions_left;
  return left !== null && left <= fewPortions ? <span class="tag tag-few">{words.left(left)}</span> : null;
}
