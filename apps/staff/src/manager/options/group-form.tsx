import type { OptionGroup } from '@comanda/contracts/option-groups';
import { optionLimits } from '@comanda/contracts/rules';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../dishes/dish-form.css';
import { dishesWith } from '../../menu/option-use.ts';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerFailureWords, managerMessages } from '../messages.ts';
import { Sortable } from '../sortable.tsx';
import { Fault } from './fault.tsx';
import type { GroupFault } from './group-draft.ts';
import './group-form.css';
import { GroupRule } from './group-rule.tsx';
import { optionMessages } from './messages.ts';
import { OptionCard } from './option-card.tsx';
import { listAddress, useGroupForm, type GroupFormProps, type UsedGroupForm } from './use-group-form.ts';

/** The form for adding or changing an option group. */
export function GroupForm(props: GroupFormProps) {
  const words = optionMessages();
  const form = useGroupForm(props);
  const { group, draft, faults, refusals } = form;
  const { session } = props;
  const fields = useRef<HTMLDivElement>(null);
  // Scrolls to the first fault, which may be far from the button.
  useEffect(() => {
    const refused =
      refusals > 0 && fields.current?.querySelector<HTMLElement>('[aria-invalid=true], .group-fault, .error-panel');
    if (!refused) return;
    refused.focus({ preventScroll: true });
    refused.scrollIntoView({ block: 'center' }); // centred, so that the buttons don't cover it
  }, [refusals]);
  const title = group?.name ?? words.newTitle;
  const has = (field: GroupFault['field']): boolean => faults.some((fault) => fault.field === field);
  return (
    <Form class="card column dish-form group-form" label={title} onSubmit={() => void (form.isBusy || form.save())}>
      <a class="dish-form-back" href={listAddress}>
        <Icon name="back" /> {words.back}
      </a>
      <h2 class="dish-form-title">{title}</h2>
      <div class="stack dish-form-fields group-form-fields" ref={fields}>
        {form.isOutdated && (
          <ErrorPanel words={{ happened: words.outdated, toDo: words.outdatedToDo }}>
            <Button size="small" onClick={form.takeTheirs}>
              {words.takeTheirs}
            </Button>
          </ErrorPanel>
        )}
        <Field
          label={managerMessages().dish.name}
          hint={words.nameHint}
          value={draft.name}
          autocomplete="off"
          error={has('name') ? words.faults.name : undefined}
          onInput={(name) => form.change({ name })}
        />
        {session.restaurant.others.value.map((into) => (
          <Field
            key={into}
            label={managerMessages().dish.nameIn(managerMessages().languages[into])}
            lang={into}
            value={draft.nameTranslations[into] ?? ''}
            autocomplete="off"
            onInput={(text) => form.change({ nameTranslations: { ...draft.nameTranslations, [into]: text } })}
          />
        ))}
        <GroupRule form={form} fault={has('min') ? words.faults.min : undefined} />
        <OptionList form={form} session={session} />
        {group && <RemoveGroup form={form} group={group} session={session} />}
        <Failure of={form.failure} />
      </div>
      <div class="wrap gap-3 dish-form-foot">
        <Button size="small" onClick={form.leave}>
          {managerMessages().cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={form.isBusy}>
          {group ? managerMessages().dish.save : words.create}
        </Button>
      </div>
    </Form>
  );
}

type PartProps = { form: UsedGroupForm; session: ManagerSession };

function OptionList({ form, session }: PartProps) {
  const words = optionMessages();
  const { draft, faults } = form;
  const [openKey, setOpenKey] = useState<string | null>(null);
  /** The new option whose name gets the focus. */
  const addedRef = useRef<string | null>(null);
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (addedRef.current === null) return;
    const field = list.current?.querySelector<HTMLElement>(`[data-option="${addedRef.current}"] input`);
    if (!field) return; // it isn't rendered yet
    field.focus();
    addedRef.current = null;
  });
  const add = (): void => {
    addedRef.current = form.addOption();
  };
  const isFull = draft.options.length >= optionLimits.maxOptions;
  const listFault = (['options', 'defaults', 'other'] as const).find((field) =>
    faults.some((fault) => fault.field === field && fault.key === null),
  );
  return (
    <fieldset class="stack gap-3 group-options" ref={list}>
      <legend>{optionMessages().title}</legend>
      <Fault text={listFault && words.faults[listFault]} />
      <Sortable
        items={draft.options}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name.trim() || words.newOption}
        onMove={form.moveOption}
      >
        {(option, controls) => (
          <OptionCard
            {...{ form, session, option, controls }}
            faults={faults.filter(({ key }) => key === option.key)}
            isOpen={openKey === option.key}
            onToggle={() => setOpenKey(openKey === option.key ? null : option.key)}
            onEnter={isFull ? undefined : add}
          />
        )}
      </Sortable>
      {isFull ? (
        <p class="field-hint">{words.full(optionLimits.maxOptions)}</p>
      ) : (
        <Button size="small" icon={<Icon name="plus" />} onClick={add}>
          {words.addOption}
        </Button>
      )}
    </fieldset>
  );
}

type RemoveProps = PartProps & { group: OptionGroup };
/** Removes a group that nothing uses. If something does, names it, with links. */
function RemoveGroup({ form, group, session }: RemoveProps) {
  const words = optionMessages();
  const groups = session.options.groups.value ?? [];
  const dishes = dishesWith(group.id, { dishes: session.menu.dishes.value ?? [], groups }).filter(
    ({ option_group_ids: ids = [] }) => ids.includes(group.id),
  );
  const openers = groups.filter(({ options }) =>
    options.some(({ option_group_ids: opened }) => opened.includes(group.id)),
  );
  if (dishes.length + openers.length > 0)
    return (
      <section class="stack group-uses" aria-label={words.usedIn}>
        <strong>{words.usedIn}</strong>
        <ul>
          {dishes.map(({ id, name }) => (
            <li key={id}>
              <a href={`#/manager/menu/${id}`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
          {openers.map(({ id, name, options }) => (
            <li key={id}>
              <a href={`${listAddress}/${id}`}>
                <bdi>{name}</bdi>
              </a>
              {': '}
              {formatList(
                options
                  .filter(({ option_group_ids: opened }) => opened.includes(group.id))
                  .map((option) => option.name),
              )}
            </li>
          ))}
        </ul>
        <p class="field-hint">{words.usedHint}</p>
      </section>
    );
  return (
    <AskInPlace
      opener={{ kind: 'quiet', size: 'small', icon: <Icon name="trash" />, children: words.remove }}
      question={words.removeAsk(group.name)}
      yes={managerMessages().dish.removeYes}
      kind="danger"
      wordsOf={managerFailureWords}
      onYes={() => form.remove(group)}
    >
      <p>{words.removeHint}</p>
    </AskInPlace>
  );
}
