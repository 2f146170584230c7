import { problem } from '@comanda/contracts/problem';
import type { Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

/** `GET /menu/{id}`: returns one dish. @throws 404 `not_found` */
export async function getDish({ menu }: { menu: MenuStore }, id: number): Promise<Dish> {
  const dish = await menu.find(id);
  if (!dish) throw problem('not_found');
  return dish;
}
