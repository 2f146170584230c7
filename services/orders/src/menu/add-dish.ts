import type { createMenuItem } from '@comanda/contracts/menu';
import type { BodyOf } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { HouseStore } from '../house/house-store.ts';
import { dishChanged, newDish, withFields } from './menu-item.ts';
import type { Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

export type AddDish = (fields: BodyOf<typeof createMenuItem>, traceparent: string) => Promise<Dish>;
type Options = {
  menu: MenuStore;
  house: HouseStore;
  currency: string;
  onWritten: (dishId: number, messages: readonly Message[]) => void;
};

/** Puts a dish on the menu. @throws 409 `menu_item_exists` */
export const createAddDish =
  ({ menu, house, currency, onWritten }: Options): AddDish =>
  async (fields, traceparent) => {
    const dish = withFields(newDish(await house.nextDishId(), currency), fields);
    const message = dishChanged(dish, { at: new Date(), traceparent });
    if (!(await menu.add({ dish, message }))) throw problem('menu_item_exists');
    onWritten(dish.id, [message]);
    return dish;
  };
