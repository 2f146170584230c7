import type { createMenuItem, MenuItem } from '@comanda/shared/contracts/menu';
import { problem } from '@comanda/shared/contracts/problems';
import type { Call, Reply } from '@comanda/shared/http/api';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { HouseStore } from '../house/house-store.ts';
import { toMinor } from '../money.ts';
import { dishChanged, toMenuItem } from './menu-item.ts';
import type { Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

type Needs = {
  menu: MenuStore;
  house: HouseStore;
  currency: string;
  onWritten: (dishId: number, messages: readonly Message[]) => void;
};

/** `POST /menu`: only a name and a price are needed. */
export async function addDish(
  { menu, house, currency, onWritten }: Needs,
  { body, context }: Call<typeof createMenuItem>,
): Promise<Reply<MenuItem>> {
  const dish: Dish = {
    id: await house.nextDishId(),
    name: body.name.trim(),
    description: body.description ?? '',
    priceMinor: toMinor(body.price),
    currency,
    imageUrl: body.image_url ?? null,
    category: body.category ?? null,
    position: body.position ?? 0,
    station: body.station ?? 'kitchen',
    allergens: body.allergens ?? [],
    available: body.available ?? true,
    portionsLeft: body.portions_left ?? null,
    version: 1,
    deleted: false,
  };
  const message = dishChanged(dish, { at: new Date(), traceparent: context.traceparent });
  if (!(await menu.add({ dish, message }))) throw problem('menu_item_exists');
  onWritten(dish.id, [message]);
  return { status: 201, body: toMenuItem(dish), headers: { Location: `/menu/${dish.id}` } };
}
