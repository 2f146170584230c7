import type { OptionGroup } from '@comanda/contracts/option-groups';
import { optionLimits } from '@comanda/contracts/rules';
import { Icon } from '@comanda/ui/icon.tsx';
import { useEffect, useId } from 'preact/hooks';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { groupLabel } from '../options/group-label.ts';
import { moved, Sortable } from '../sortable.tsx';
import './dish-groups.css';
import { currencyOf, type UsedDishForm } from './use-dish-form.ts';

/** The option groups of a dish, in the order in which guests choose. */
export function DishGroups({ form, session }: { form: UsedDishForm; session: ManagerSession }) {
  const words = managerMessages().dish;
  const { draft, setGroups, errorOf } = form;
  const { groups: known, load } = session.options;
  const id = useId();
  useEffect(load, [load]);
  const groups = known.value ?? [];
  const ids = draft.groupIds;
  const labelOf = (group: OptionGroup): string => groupLabel(group, groups, currencyOf(form.menu));
  const nameOf = (groupId: number): string => {
    const group = groups.find((each) => each.id === groupId);
    return group ? labelOf(group) : words.groupGone;
  };
  const others = groups.filter((each) => !ids.includes(each.id));
  const error = errorOf('groupIds');
  return (
    <fieldset class="stack gap-3 manager-fieldset">
      <legend>{words.groups}</legend>
      <p class="field-hint">{ids.length === 0 ? words.groupsNone : words.groupsHint}</p>
      <Sortable
        items={known.value === null ? [] : ids}
        keyOf={(each) => each}
        nameOf={nameOf}
        onMove={(from, to) => setGroups(moved(ids, from, to))}
      >
        {(each, controls) => (
          <div class="row wrap dish-group">
            {controls}
            <a href={`#/manager/menu/options/${each}`} aria-label={words.groupEdit(nameOf(each))}>
              <bdi>{nameOf(each)}</bdi>
            </a>
            <button
              type="button"
              aria-label={words.groupRemove(nameOf(each))}
              onClick={() => setGroups(ids.filter((other) => other !== each))}
            >
              <Icon name="close" size={20} />
            </button>
          </div>
        )}
      </Sortable>
      {error !== undefined && (
        <p class="field-error" aria-live="polite">
          <Icon name="warning" size={20} /> {error}
        </p>
      )}
      <div class="row wrap dish-groups-add">
        {others.length > 0 && ids.length < optionLimits.maxGroupsOfDish && (
          <select
            id={id}
            class="field-input"
            aria-label={words.groupAdd}
            value=""
            onChange={(event) => {
              const added = Number(event.currentTarget.value);
              event.currentTarget.value = '';
              if (added > 0) setGroups([...ids, added]);
            }}
          >
            <option value="">{words.groupAdd}</option>
            {others.map((each) => (
              <option key={each.id} value={String(each.id)}>
                {labelOf(each)}
              </option>
            ))}
          </select>
        )}
        <a href="#/manager/menu/options">{words.groupsManage}</a>
      </div>
    </fieldset>
  );
}
