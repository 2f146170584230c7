import {
  createMenuItem,
  deleteMenuItem,
  getMenuItem,
  listMenu,
  setAvailability,
  updateMenuItem,
} from '@comanda/contracts/menu';
import { problem } from '@comanda/contracts/problems';
import type { Api } from '@comanda/shared/http/api';
import type { AddDish } from './add-dish.ts';
import type { ChangeDish } from './change-dish.ts';
import { inMenuOrder, toMenuItem, withFields } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

type Needs = { menu: MenuStore; addDish: AddDish; changeDish: ChangeDish };

export function serveMenu({ handle }: Api, { menu, addDish, changeDish }: Needs): void {
  handle(listMenu, async () => ({ status: 200, body: (await menu.all()).toSorted(inMenuOrder).map(toMenuItem) }));
  handle(getMenuItem, async ({ params }) => {
    const dish = await menu.one(params.id);
    if (!dish) throw problem('not_found');
    return { status: 200, body: toMenuItem(dish) };
  });
  handle(createMenuItem, async ({ body, context: { traceparent } }) => {
    const dish = await addDish(body, traceparent);
    return { status: 201, body: toMenuItem(dish), headers: { Location: `/menu/${dish.id}` } };
  });
  handle(updateMenuItem, async ({ params: { id }, body, context: { traceparent } }) => {
    const dish = await changeDish({ id, traceparent, apply: (before) => withFields(before, body) });
    return { status: 200, body: toMenuItem(dish) };
  });
  handle(setAvailability, async ({ params: { id }, body, context: { traceparent } }) => {
    const dish = await changeDish({ id, traceparent, apply: (before) => withFields(before, body) });
    return { status: 200, body: toMenuItem(dish) };
  });
  handle(deleteMenuItem, async ({ params: { id }, context: { traceparent } }) => {
    await changeDish({ id, traceparent, apply: (before) => ({ ...before, deleted: true }) });
    return { status: 204 };
  });
}
