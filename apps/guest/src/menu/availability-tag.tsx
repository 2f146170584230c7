import type { LiveItem } from '@comanda/client/core';
import { fewPortions } from '@comanda/ui/availability.ts';
import { useGuest } from '../contexts.ts';
import { messages } from '../messages.ts';

export function AvailabilityTag({ dish }: { dish: LiveItem }) {
  const words = messages();
  if (useGuest().menu.isOut(dish)) return <span class="tag tag-out">{words.soldOut}</span>;
  const left = dish.portions_left;
  return left !== null && left <= fewPortions ? (
    <span class="on-amber-soft tag tag-few">{words.left(left)}</span>
  ) : null;
}
