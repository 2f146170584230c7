import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Written } from '@comanda/shared/service/unit-of-work';
import type { Actor } from '../actor.ts';
import { changeOfDish } from './change-of-dish.ts';
import type { MenuChange } from './menu-change.ts';
import { dishChanged, type Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

/** `before`: null for a new dish. `after`: the new dish, or the next version of an existing one. */
export type DishStep = { before: Dish | null; after: Dish };
type Who = { at: Date; actor: Actor; traceparent: string };

/**
 * Writes dishes with their events, all in one statement. Returns the first dish, and a record of each change.
 * @throws 409 `menu_item_exists`; WriteConflict
 */
export async function writeDishes(
  menu: Pick<MenuStore, 'write'>,
  { steps, ...who }: Who & { steps: readonly [DishStep, ...DishStep[]] },
  session: Session,
): Promise<Written<Dish, MenuChange, 'menu'>> {
  const writes = steps.map(({ before, after: dish }) => ({
    dish,
    message: dishChanged(dish, who),
    isNew: before === null,
  }));
  if ((await menu.write(writes, session)) === 'name_taken') throw problem('menu_item_exists');
  const { at, actor } = who;
  return {
    value: steps[0].after,
    records: steps.flatMap((step) => changeOfDish(step, { at, actor }) ?? []),
    events: writes.map(({ dish, message }) => ({ outbox: 'menu', documentId: dish.id, messages: [message] })),
  };
}
