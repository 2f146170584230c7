import type { Pricing } from '@comanda/contracts/weight';
import { problem, type ProblemMembers } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { IdStore } from '../restaurant/id-store.ts';
import type { OptionGroupStore } from './option-group-store.ts';
import type { OptionGroup } from './option-group.ts';

export type CheckOptionGroupsDeps = {
  ids: Pick<IdStore, 'lockCategories'>;
  optionGroups: Pick<OptionGroupStore, 'getAll'>;
};

type Errors = NonNullable<ProblemMembers['errors']>;
/** `dishId`: undefined for a new dish. `groupIds`, `pricing`: undefined if the request has none. */
type DishToCheck = {
  dishId?: number | undefined;
  groupIds: readonly number[] | undefined;
  pricing: Pricing | undefined;
};

/**
 * Checks that a dish's option groups exist, and that only dishes with a fixed price are components of combos. With the `session`
 * of the transaction that writes the dish, no group can be written until it ends.
 * @throws 422 `unprocessable_content`
 */
export async function checkOptionGroups(
  { ids, optionGroups }: CheckOptionGroupsDeps,
  dish: DishToCheck,
  session?: Session,
): Promise<void> {
  if (dish.groupIds === undefined && dish.pricing === undefined) return;
  if (session) await ids.lockCategories(session);
  const errors = optionGroupErrors(await optionGroups.getAll(session), dish);
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}

/** Returns what is wrong with a dish's option groups and pricing. `row`: the dish's pointer in the body. */
export function optionGroupErrors(
  groups: readonly OptionGroup[],
  { dishId = 0, groupIds = [], pricing = 'fixed' }: DishToCheck,
  row = '',
): Errors[number][] {
  const known = new Set(groups.map(({ id }) => id));
  const isComponent = groups.some(({ options }) => options.some((option) => option.item_id === dishId));
  return [
    ...groupIds.flatMap((id, at) =>
      known.has(id) ? [] : [{ pointer: `${row}/option_group_ids/${at}`, detail: 'is not an option group' }],
    ),
    ...(isComponent && pricing !== 'fixed'
      ? [{ pointer: `${row}/pricing`, detail: 'must be fixed for a component of a combo' }]
      : []),
  ];
}
