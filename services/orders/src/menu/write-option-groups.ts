import { isDeepStrictEqual } from 'node:util';
import type { MenuValues } from '@comanda/contracts/menu-changes';
import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Written } from '@comanda/shared/service/unit-of-work';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Actor } from '../actor.ts';
import type { IdStore } from '../restaurant/id-store.ts';
import type { MenuChange, RecordedWrites } from './menu-change.ts';
import type { MenuStore } from './menu-store.ts';
import { groupErrors, newGroup, withGroupFields, type GroupFields } from './option-group-rules.ts';
import type { OptionGroupStore } from './option-group-store.ts';
import { openedBy, optionGroupChanged, toGroupResponse, type OptionGroup } from './option-group.ts';

export type OptionGroupDeps = {
  menu: Pick<MenuStore, 'getAll'>;
  optionGroups: OptionGroupStore;
  ids: Pick<IdStore, 'lockCategories' | 'takeOptionIds'>;
  recordedWrites: Pick<RecordedWrites, 'runLocked'>;
  clock: Clock;
};
export type Who = { actor: Actor; traceparent: string };
/** A new group if `id` is null. `version`: the version that the caller knows; undefined for any. */
export type GroupChange = { id: number | null; version?: number | undefined; fields: GroupFields };

/**
 * Returns a group before and after a change, without writing it. New options have the id 0 in it.
 * @throws 404 `not_found`; 412 `version_mismatch`; 422 `unprocessable_content` with all errors
 */
export async function planGroup(
  { menu, optionGroups }: Pick<OptionGroupDeps, 'menu' | 'optionGroups'>,
  { id, version, fields }: GroupChange,
  session?: Session,
): Promise<{ before: OptionGroup; after: OptionGroup }> {
  const groups = await optionGroups.getAll(session);
  const before = id === null ? newGroup : groups.find((group) => group.id === id);
  if (!before) throw problem('not_found');
  if (version !== undefined && version !== before.version) throw problem('version_mismatch');
  const after = withGroupFields(before, fields);
  const hasComponents = after.options.some(({ item_id: itemId }) => itemId !== null);
  const dishIds = new Set(
    hasComponents
      ? (await menu.getAll(session)).flatMap(({ id: dish, pricing }) => (pricing === 'fixed' ? dish : []))
      : [],
  );
  const errors = groupErrors({ before, after, fields, groups, dishIds });
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
  return { before, after };
}

/**
 * Adds or changes a group, and records the user who did it. Groups are written one after another, so that their limits are exact.
 * @throws as `planGroup`; 503 `service_unavailable`
 */
export async function writeGroup(deps: OptionGroupDeps, change: GroupChange & Who): Promise<OptionGroup> {
  const { ids, recordedWrites } = deps;
  return recordedWrites.runLocked('option groups', async (session) => {
    await ids.lockCategories(session);
    const { before, after } = await planGroup(deps, change, session);
    const added = after.options.filter(({ id }) => id === 0).length;
    const first = await ids.takeOptionIds({ groups: change.id === null ? 1 : 0, options: added }, session);
    let next = first.optionId;
    const options = after.options.map((option) => (option.id === 0 ? { ...option, id: next++ } : option));
    const group = { ...after, id: change.id ?? first.groupId, options };
    return storeGroup(deps, { before: change.id === null ? null : before, group, ...change }, session);
  });
}

/**
 * Removes a group, and records the user who did it.
 * @throws 404 `not_found`; 409 `option_group_in_use` if a dish on the menu or another group has it; 503 `service_unavailable`
 */
export async function removeGroup(deps: OptionGroupDeps, { id, ...who }: Who & { id: number }): Promise<void> {
  const { menu, optionGroups, ids, recordedWrites } = deps;
  await recordedWrites.runLocked('option groups', async (session) => {
    await ids.lockCategories(session);
    const groups = await optionGroups.getAll(session);
    const before = groups.find((group) => group.id === id);
    if (!before) throw problem('not_found');
    const dishes = (await menu.getAll(session)).filter(({ optionGroupIds }) => optionGroupIds.includes(id));
    const others = groups.filter((group) => openedBy(group).includes(id));
    if (dishes.length + others.length > 0)
      throw problem('option_group_in_use', {
        item_ids: dishes.map((dish) => dish.id),
        option_group_ids: others.map((group) => group.id),
      });
    const group = { ...before, version: before.version + 1, deleted: true };
    return storeGroup(deps, { before, group, ...who }, session);
  });
}

type Availability = Who & { id: number; optionId: number; available: boolean };
/**
 * Sets whether an option is available, and records the user who did it. The same value writes nothing.
 * @throws 404 `not_found`; 503 `service_unavailable`
 */
export async function setOptionAvailable(deps: OptionGroupDeps, asked: Availability): Promise<OptionGroup> {
  const { id, optionId, available, ...who } = asked;
  return deps.recordedWrites.runLocked(`option group ${id}`, async (session) => {
    const before = await deps.optionGroups.find(id, session);
    const option = before?.options.find((each) => each.id === optionId);
    if (!before || !option) throw problem('not_found');
    if (option.available === available) return { value: before, unchanged: true };
    const options = before.options.map((each) => (each === option ? { ...each, available } : each));
    const group = { ...before, options, version: before.version + 1 };
    return storeGroup(deps, { before, group, ...who }, session);
  });
}

type GroupStep = Who & { before: OptionGroup | null; group: OptionGroup };
async function storeGroup(
  { optionGroups, clock }: Pick<OptionGroupDeps, 'optionGroups' | 'clock'>,
  { before, group, actor, traceparent }: GroupStep,
  session: Session,
): Promise<Written<OptionGroup, MenuChange, 'optionGroups'>> {
  const at = new Date(clock());
  const message = optionGroupChanged(group, { at, traceparent });
  await optionGroups.write(group, { message, session });
  const change = changeOfGroup({ before, after: group });
  return {
    value: group,
    records: change ? [{ at, actor, ...change }] : [],
    events: [{ outbox: 'optionGroups', documentId: group.id, messages: [message] }],
  };
}

/** Returns the differences between two versions of a group; null if there are none. `before` is null for a new group. */
function changeOfGroup(step: { before: OptionGroup | null; after: OptionGroup }) {
  const { before, after } = step;
  const [old, now] = [before ? valuesOf(before) : {}, valuesOf(after)];
  const names = (Object.keys(now) as (keyof MenuValues)[]).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  if (names.length === 0) return null;
  const type = before === null ? ('dish_added' as const) : after.deleted ? ('dish_removed' as const) : 'dish_changed';
  const pick = (values: MenuValues): MenuValues =>
    Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
  const optionGroup = { id: after.id, name: before?.name ?? after.name };
  return { type, dish: null, optionGroup, before: pick(old), after: pick(now) } as const;
}

function valuesOf(group: OptionGroup): MenuValues {
  const { id: _id, version: _version, ...values } = toGroupResponse(group);
  return { ...values, ...(group.deleted && { removed: true }) };
}
