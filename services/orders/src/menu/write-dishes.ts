import { problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Actor } from '../actor.ts';
import type { Written } from './write-recorded.ts';
import { changeOfDish } from './change-of-dish.ts';
import { dishChanged, type Dish } from './menu-item.ts';
import type { DishWrite, MenuStore } from './menu-store.ts';

/** `before` is null for a new dish; otherwise, `after` is the next version. */
export type DishStep = { before: Dish | null; after: Dish };
type Who = { at: Date; actor: Actor; traceparent: string };

/** Writes dishes with their events, and returns the changes. @throws 409 `menu_item_exists`; WriteConflict */
export async function writeDishes(
  menu: Pick<MenuStore, 'insert' | 'update'>,
  { steps, ...who }: Who & { steps: readonly DishStep[] },
  session: Session,
): Promise<Written<DishWrite[]>> {
  const writes: DishWrite[] = [];
  for (const { before, after: dish } of steps) {
    const write = { dish, message: dishChanged(dish, who) };
    const result = await (before ? menu.update(write, session) : menu.insert(write, session));
    if (result === 'name_taken') throw problem('menu_item_exists');
    writes.push(write);
  }
  const { at, actor } = who;
  return { value: writes, changes: steps.flatMap((step) => changeOfDish(step, { at, actor }) ?? []) };
}

export function publishWrites(outbox: Pick<Outbox, 'publishNow'>, writes: readonly DishWrite[]): void {
  for (const { dish, message } of writes) outbox.publishNow(dish.id, [message]);
}
