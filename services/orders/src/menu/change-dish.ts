import { problem } from '@comanda/contracts/problems';
import { jitter } from '@comanda/shared/mongo/transactions';
import { dishChanged } from './menu-item.ts';
import type { Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';
import type { Message } from '@comanda/shared/messaging/publisher';

type DishChange = { id: number; traceparent: string; apply: (dish: Dish) => Omit<Dish, 'version'> };
export type ChangeDish = (change: DishChange) => Promise<Dish>;
type Options = { menu: MenuStore; onWritten: (dishId: number, messages: readonly Message[]) => void };

/** Orders write their portions to a hot dish a few hundred times a second: this long one tries to come in between. */
const patienceMs = 1400;

/**
 * The one write path of dishes that are there: read, apply, and write if nobody did since, else again.
 * @throws 404 `not_found`, 409 `menu_item_exists`, 503 `service_unavailable`
 */
export const createChangeDish =
  ({ menu, onWritten }: Options): ChangeDish =>
  async ({ id, traceparent, apply }) => {
    const deadline = performance.now() + patienceMs;
    do {
      const before = await menu.one(id);
      if (!before) throw problem('not_found');
      const dish: Dish = { ...apply(before), version: before.version + 1 };
      const message = dishChanged(dish, { at: new Date(), traceparent });
      const outcome = await menu.replace({ dish, message });
      if (outcome === 'taken') throw problem('menu_item_exists');
      if (outcome === 'written') {
        onWritten(id, [message]);
        return dish;
      }
      await jitter();
    } while (performance.now() < deadline);
    throw problem('service_unavailable', { detail: 'Too many write at once.' }, { 'Retry-After': '1' });
  };
