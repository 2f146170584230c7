import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { IdStore } from '../restaurant/id-store.ts';
import type { OptionGroupStore } from './option-group-store.ts';

export type CheckOptionGroupsDeps = {
  ids: Pick<IdStore, 'lockCategories'>;
  optionGroups: Pick<OptionGroupStore, 'getAll'>;
};

/**
 * Checks that these option groups exist. With the `session` of the transaction that writes the dish, no group can be removed
 * until it ends. `groupIds`: undefined if the request has none.
 * @throws 422 `unprocessable_content`
 */
export async function checkOptionGroups(
  { ids, optionGroups }: CheckOptionGroupsDeps,
  groupIds: readonly number[] | undefined,
  session?: Session,
): Promise<void> {
  if (groupIds === undefined) return;
  if (session) await ids.lockCategories(session);
  const known = new Set((await optionGroups.getAll(session)).map(({ id }) => id));
  const errors = groupIds.flatMap((id, at) =>
    known.has(id) ? [] : [{ pointer: `/option_group_ids/${at}`, detail: 'is not an option group' }],
  );
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
}
