import { CallFailure, type Client } from '@comanda/client/core';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { goTo } from '../../address.ts';
import type { Purpose } from '../consent/consent.ts';
import { currencyOf } from '../dishes/use-dish-form.ts';
import type { ManagerSession } from '../manager-session.ts';
import { moved } from '../sortable.tsx';
import {
  changesOfGroup,
  draftOfGroup,
  faultAt,
  faultsOfGroup,
  isSameGroup,
  newGroupBody,
  newGroupDraft,
  withNewOption,
  type GroupDraft,
  type GroupFault,
  type OptionDraft,
} from './group-draft.ts';

export type GroupFormProps = {
  client: Client;
  session: ManagerSession;
  /** The group to change; null to add one. */
  group: OptionGroup | null;
  formKey: string;
};
export type UsedGroupForm = ReturnType<typeof useGroupForm>;

export const listAddress = '#/manager/menu/options';

/** The state of a group's form. The input stays until it is saved or cancelled, even while another page is open. */
export function useGroupForm({ client, session, group, formKey }: GroupFormProps) {
  const { options: followed, consent } = session;
  const { failure, run, isBusy, forgetFailure } = useAction();
  const [found, setFound] = useState<readonly GroupFault[]>([]);
  /** How often saving has failed, so that the form shows the first fault again. */
  const [refusals, setRefusals] = useState(0);
  /** A new group's draft before anything is typed. */
  const [empty] = useState(newGroupDraft);
  const typed = followed.typed.value.get(formKey);
  const before = typed?.before ?? group;
  const draft = typed?.draft ?? (group ? draftOfGroup(group) : empty);
  /** True if another manager has saved the group since this one began to type. */
  const isOutdated = typed !== undefined && group !== null && before !== null && !isSameGroup(group, before);

  const change = (part: Partial<GroupDraft>): void => {
    setFound([]);
    followed.setTyped(formKey, { draft: { ...latest(), ...part }, before });
  };
  /** Returns the draft with what was typed since the form was last rendered. */
  const latest = (): GroupDraft => followed.typed.peek().get(formKey)?.draft ?? draft;
  const setOptions = (to: (options: readonly OptionDraft[]) => readonly OptionDraft[]): void =>
    change({ options: to(latest().options) });
  const leave = (): void => {
    followed.setTyped(formKey, null);
    goTo(listAddress);
  };
  async function save(): Promise<void> {
    const faults = faultsOfGroup(draft);
    setFound(faults);
    if (faults.length > 0 || isOutdated) return setRefusals(refusals + 1);
    const isSaved = await run(async () => {
      const currency = currencyOf(session.menu.dishes.value ?? []);
      const purpose: Purpose = { kind: 'options', name: group?.name ?? null, currency };
      if (group === null || before === null)
        return consent.run({ call: 'createOptionGroup', input: newGroupBody(draft), purpose });
      const changes = changesOfGroup(draft, draftOfGroup(before));
      if (Object.keys(changes).length === 0) return undefined;
      // An option that was sold out in the meantime is a version too, but no reason to type everything again.
      const input = { id: group.id, ...changes, version: group.version };
      return consent.run({ call: 'updateOptionGroup', input, purpose });
    });
    if (!isSaved) return setRefusals(refusals + 1);
    leave();
    session.showSaved(draft.name.trim());
  }
  const rejected =
    failure instanceof CallFailure && (failure.is('unprocessable_content') || failure.is('validation_failed'))
      ? failure.problem.errors.map(({ pointer }) => faultAt(pointer, draft))
      : [];
  return {
    group,
    draft,
    faults: [...found, ...rejected],
    failure,
    refusals,
    isBusy,
    isOutdated,
    isTyped: typed !== undefined,
    change,
    changeOption: (key: string, part: Partial<OptionDraft>): void =>
      setOptions((options) => options.map((option) => (option.key === key ? { ...option, ...part } : option))),
    /** Adds an empty option, and returns its key. */
    addOption: (): string | null => {
      const next = withNewOption(latest());
      change(next);
      return next.options.at(-1)?.key ?? null;
    },
    removeOption: (key: string): void => setOptions((options) => options.filter((option) => option.key !== key)),
    moveOption: (from: number, to: number): void => setOptions((options) => moved(options, from, to)),
    leave,
    /** Discards what was typed, and shows the group as another manager has saved it. */
    takeTheirs: (): void => {
      forgetFailure();
      followed.setTyped(formKey, null);
    },
    save,
    remove: async ({ id }: OptionGroup): Promise<void> => {
      await client.calls.deleteOptionGroup({ id });
      leave();
    },
  };
}
