import type { BodyOf, ResponseOf } from '@comanda/contracts/endpoint';
import type { importMenu as contract } from '@comanda/contracts/menu';
import { problem, type ProblemMembers } from '@comanda/contracts/problem';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import type { Call } from '@comanda/shared/http/api';
import type { Session } from '@comanda/shared/mongo/transactions';
import { actorOf } from '../actor.ts';
import type { IdStore } from '../restaurant/id-store.ts';
import type { ChangeDishDeps } from './change-dish.ts';
import { optionGroupErrors, type CheckOptionGroupsDeps } from './check-option-groups.ts';
import { pictureErrors, type CheckPictureDeps } from './check-picture.ts';
import type { MenuStore } from './menu-store.ts';
import { matchRows, planImport } from './plan-import.ts';
import { writeDishes, type DishStep } from './write-dishes.ts';

export type ImportMenuDeps = ChangeDishDeps & { ids: Pick<IdStore, 'takeDishId'>; currency: string };
type MatchDeps = CheckPictureDeps & Pick<CheckOptionGroupsDeps, 'optionGroups'> & { menu: Pick<MenuStore, 'getAll'> };
type Errors = NonNullable<ProblemMembers['errors']>;
type Body = BodyOf<typeof contract>;

/**
 * Checks an import before the step-up token is spent.
 * @throws 422 `unprocessable_content` with all errors
 */
export async function checkImport(deps: MatchDeps, body: Body): Promise<void> {
  if (canonicalDigest(body.dishes) !== body.sha256)
    throw problem('unprocessable_content', { errors: [{ pointer: '/sha256', detail: otherDigest }] });
  await match(deps, body);
}

/**
 * `PUT /menu/import`: adds and changes dishes in one transaction, and records the user who did it.
 * @throws 422 `unprocessable_content` with all errors; 409 `menu_item_exists`; 503 `service_unavailable`
 */
export async function importMenu(
  deps: ImportMenuDeps,
  { body, caller, context: { traceparent } }: Call<typeof contract>,
): Promise<ResponseOf<typeof contract>> {
  const { menu, ids, recordedWrites, currency, clock } = deps;
  return recordedWrites.runLocked('menu import', async (session) => {
    // Locks the categories before anything is read, so that of two imports the second starts again and not halfway.
    await ids.lockCategories(session);
    const { dishes, matches } = await match(deps, body, session);
    const isNew = matches.filter(({ dish }) => dish === null);
    const firstId = isNew.length === 0 ? 0 : await ids.takeDishId({ count: isNew.length, session });
    const { steps, unchanged } = planImport(dishes, matches, { firstId, currency });
    const value = { added: isNew.length, changed: steps.length - isNew.length, unchanged };
    if (!isFilled(steps)) return { value, unchanged: true };
    const who = { at: new Date(clock()), actor: actorOf(caller), traceparent };
    return { ...(await writeDishes(menu, { steps, ...who }, session)), value };
  });
}

const isFilled = (steps: readonly DishStep[]): steps is readonly [DishStep, ...DishStep[]] => steps.length > 0;

/** Fetches the menu, and finds each row's dish on it. @throws 422 `unprocessable_content` with all errors */
async function match(deps: MatchDeps, { dishes: rows }: Body, session?: Session) {
  const dishes = await deps.menu.getAll(session);
  const { matches, errors } = matchRows({ dishes, rows });
  const groups = rows.some(needsGroups) ? await deps.optionGroups.getAll(session) : [];
  const all: Errors[] = [errors];
  for (const [at, { row, dish }] of matches.entries()) {
    const { option_group_ids: groupIds, pricing } = row;
    all.push(optionGroupErrors(groups, { dishId: dish?.id, groupIds, pricing }, `/dishes/${at}`));
    const picture = { before: dish, imageUrl: row.image_url, pointer: `/dishes/${at}/image_url` };
    all.push(await pictureErrors(deps, picture, session));
  }
  if (all.flat().length > 0) throw problem('unprocessable_content', { errors: all.flat() });
  return { dishes, matches };
}

const needsGroups = ({ option_group_ids: groupIds, pricing }: Body['dishes'][number]): boolean =>
  groupIds !== undefined || pricing !== undefined;

const otherDigest =
  "must be the SHA-256 of dishes as canonical JSON (RFC 8785): the rows aren't those that the digest was computed for. Compute it again.";
