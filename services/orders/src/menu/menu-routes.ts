import * as contract from '@comanda/contracts/menu';
import { listMenuChanges as listMenuChangesContract } from '@comanda/contracts/menu-changes';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { actorOf } from '../actor.ts';
import { addDish, type AddDishDeps } from './add-dish.ts';
import { changeDish } from './change-dish.ts';
import { checkPicture, type CheckPictureDeps } from './check-picture.ts';
import { consentToDish, type ConsentToDishDeps } from './consent-to-dish.ts';
import { getDish } from './get-dish.ts';
import { checkImport, importMenu } from './import-menu.ts';
import { listMenuChanges, type ListMenuChangesDeps } from './list-menu-changes.ts';
import { inMenuOrder, toMenuItem } from './menu-item.ts';

export type MenuRouteDeps = AddDishDeps & CheckPictureDeps & ConsentToDishDeps & ListMenuChangesDeps;

export function registerMenuRoutes({ handle }: Api, deps: MenuRouteDeps): void {
  const { menu } = deps;

  handle(contract.listMenu, async () => {
    const dishes = await menu.getAll();
    return { status: 200, body: dishes.toSorted(inMenuOrder).map(toMenuItem) };
  });
  handle(contract.getMenuItem, async ({ params }) => ({
    status: 200,
    body: toMenuItem(await getDish(deps, params.id)),
  }));
  handle(contract.createMenuItem, async (call) => {
    await checkPicture(deps, { before: null, imageUrl: call.body.image_url });
    const consent = await consentToDish(deps, call);
    const dish = await addDish(deps, call);
    return { status: 201, body: toMenuItem(dish), headers: { Location: `/menu/${dish.id}` }, consent };
  });
  handle(contract.updateMenuItem, async (call) => {
    const existing = await getDish(deps, call.params.id);
    const { id } = existing;
    await checkPicture(deps, { before: existing, imageUrl: call.body.image_url });
    const consent = await consentToDish(deps, call);
    const { traceparent } = call.context;
    const { body: fields } = call;
    const { category_translations: categoryTranslations } = fields;
    const change = { id, actor: actorOf(call.caller), traceparent, fields, categoryTranslations };
    const dish = await changeDish(deps, change);
    return { status: 200, body: toMenuItem(dish), consent };
  });
  handle(contract.importMenu, async (call) => {
    await checkImport(deps, call.body);
    const consent = deps.consumeForMenu ? await deps.consumeForMenu(call) : null;
    return { status: 200, body: await importMenu(deps, call), consent };
  });
  handle(contract.setAvailability, async ({ params: { id }, body: fields, caller, context: { traceparent } }) => {
    const dish = await changeDish(deps, { id, actor: actorOf(caller), traceparent, fields });
    return { status: 200, body: toMenuItem(dish) };
  });
  handle(contract.deleteMenuItem, async ({ params: { id }, caller, context: { traceparent } }) => {
    await changeDish(deps, { id, actor: actorOf(caller), traceparent, fields: null });
    return { status: 204 };
  });
  handle(listMenuChangesContract, async (call) => {
    const { changes, next } = await listMenuChanges(deps, call);
    const { item_id, option_group_id, limit = 50 } = call.query;
    const headers = nextLink(listMenuChangesContract.path, { item_id, option_group_id, limit }, next);
    return { status: 200, body: changes, headers };
  });
}
