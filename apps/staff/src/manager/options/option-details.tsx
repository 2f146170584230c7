import type { LiveItem } from '@comanda/client/core';
import { optionLimits } from '@comanda/contracts/rules';
import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { Switch } from '@comanda/ui/switch.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { SelectField } from '../bills/select-field.tsx';
import { stationName } from '../../shift/station-name.ts';
import { Failure } from '../failure.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { maxKitchenName } from '../dishes/dish-draft.ts';
import { currencyOf } from '../dishes/use-dish-form.ts';
import { managerMessages } from '../messages.ts';
import { mayBeDefault, type OptionDraft } from './group-draft.ts';
import { groupLabel } from './group-label.ts';
import { optionMessages } from './messages.ts';
import type { UsedGroupForm } from './use-group-form.ts';

type Props = { form: UsedGroupForm; session: ManagerSession; option: OptionDraft };

/** What few options need: other names, how often, allergens, what the option opens or adds. */
export function OptionDetails({ form, session, option, maxUnits }: Props & { maxUnits: number }) {
  const words = optionMessages();
  const { key, nameTranslations, kitchenName, maxEach, groupIds } = option;
  const change = (part: Partial<OptionDraft>): void => form.changeOption(key, part);
  return (
    <div class="stack gap-4 option-details">
      {session.restaurant.others.value.map((into) => (
        <Field
          key={into}
          label={managerMessages().dish.nameIn(managerMessages().languages[into])}
          lang={into}
          value={nameTranslations[into] ?? ''}
          autocomplete="off"
          onInput={(text) => change({ nameTranslations: { ...nameTranslations, [into]: text } })}
        />
      ))}
      <Field
        label={managerMessages().dish.kitchenName}
        hint={managerMessages().dish.kitchenNameHint}
        maxLength={maxKitchenName}
        value={kitchenName}
        autocomplete="off"
        onInput={(text) => change({ kitchenName: text })}
      />
      <Allergens option={option} onChange={change} />
      {groupIds.length === 0 && (
        <div class="field">
          <div class="field-head">
            <span aria-hidden="true">{words.maxEach}</span>
          </div>
          <Stepper
            of={words.maxEach}
            value={maxEach}
            min={1}
            max={maxUnits}
            onChange={(next) => change({ maxEach: next })}
          />
        </div>
      )}
      {form.draft.min > 0 && (
        <div class="row dish-form-sale">
          <span aria-hidden="true">
            {words.default}
            <small class="field-hint">{mayBeDefault(option) ? words.defaultHint : words.defaultNot}</small>
          </span>
          <Switch
            label={words.default}
            isOn={option.isDefault && mayBeDefault(option)}
            onChange={(isDefault) => mayBeDefault(option) && change({ isDefault })}
          />
        </div>
      )}
      <Opened {...{ form, session, option }} />
      <ComponentDish option={option} dishes={session.menu.dishes.value ?? []} onChange={change} />
      <Availability {...{ form, session, option }} />
      <Button kind="quiet" size="small" icon={<Icon name="trash" />} onClick={() => form.removeOption(key)}>
        {words.removeOption}
      </Button>
    </div>
  );
}

type ChangeProps = { option: OptionDraft; onChange: (part: Partial<OptionDraft>) => void };

/** Asks for the allergens, without an answer that is set already. Those of a component are its dish's. */
function Allergens({ option: { allergens, itemId }, onChange }: ChangeProps) {
  const words = optionMessages();
  const names = allergenNames();
  if (itemId !== null) return <p class="field-hint">{words.allergensOfDish}</p>;
  const tap = (each: Allergen): void => {
    const others = (allergens ?? []).filter((other) => other !== each);
    if (!allergens?.includes(each)) onChange({ allergens: [...others, each] });
    else onChange({ allergens: others.length > 0 ? others : null });
  };
  return (
    <fieldset class="manager-chips dish-form-allergens">
      <legend>{words.allergens}</legend>
      {allergens === null && <p class="manager-warning">{words.allergensAsk}</p>}
      <div>
        <Chip
          pressed={allergens?.length === 0}
          onClick={() => onChange({ allergens: allergens?.length === 0 ? null : [] })}
        >
          {managerMessages().dish.noneOf14}
        </Chip>
        {(Object.keys(names) as Allergen[]).map((each) => (
          <Chip
            key={each}
            pressed={allergens?.includes(each) ?? false}
            icon={allergens?.includes(each) && <Icon name="check" size={20} />}
            onClick={() => tap(each)}
          >
            {names[each]}
          </Chip>
        ))}
      </div>
    </fieldset>
  );
}

/** The groups that guests see once they have chosen this option. */
function Opened({ form, session, option: { key, groupIds } }: Props) {
  const words = optionMessages();
  const groups = session.options.groups.value ?? [];
  const others = groups.filter(({ id }) => id !== form.group?.id);
  const currency = currencyOf(session.menu.dishes.value ?? []);
  if (others.length === 0) return null;
  return (
    <fieldset class="manager-chips">
      <legend>{words.opensLegend}</legend>
      <p class="field-hint">{words.opensHint}</p>
      {others.map((group) => {
        const { id } = group;
        const isChosen = groupIds.includes(id);
        return (
          <Chip
            key={id}
            pressed={isChosen}
            aria-disabled={!isChosen && groupIds.length >= optionLimits.maxGroupsOfOption}
            icon={isChosen && <Icon name="check" size={20} />}
            onClick={() => {
              if (isChosen) form.changeOption(key, { groupIds: groupIds.filter((each) => each !== id) });
              else if (groupIds.length < optionLimits.maxGroupsOfOption)
                form.changeOption(key, { groupIds: [...groupIds, id], maxEach: 1, isDefault: false });
            }}
          >
            <bdi>{groupLabel(group, groups, currency)}</bdi>
          </Chip>
        );
      })}
    </fieldset>
  );
}

/** The dish that the option adds to the order, which makes the dish with this group a combo. */
function ComponentDish({ option: { name, itemId }, dishes, onChange }: ChangeProps & { dishes: readonly LiveItem[] }) {
  const words = optionMessages();
  const choices = dishes.filter(({ pricing = 'fixed' }) => pricing === 'fixed');
  const dish = dishes.find((each) => each.id === itemId);
  function choose(value: string): void {
    const chosen = choices.find((each) => String(each.id) === value);
    onChange({
      itemId: chosen?.id ?? null,
      ...(chosen && { allergens: null }),
      ...(chosen && name.trim() === '' && { name: chosen.name, nameTranslations: chosen.name_translations ?? {} }),
    });
  }
  const isGone = itemId !== null && !choices.some((each) => each.id === itemId);
  return (
    <SelectField
      label={words.component}
      value={itemId === null ? '' : String(itemId)}
      any={words.componentNone}
      options={[
        ...(isGone ? [{ value: String(itemId), text: dish?.name ?? words.componentGone }] : []),
        ...choices.map((each) => ({ value: String(each.id), text: each.name })),
      ]}
      hint={dish ? words.componentAt(stationName(dish.station)) : words.componentHint}
      onInput={choose}
    />
  );
}

/** Takes a stored option off sale at once, in all its dishes. */
function Availability({ form: { group }, session, option: { id, name } }: Props) {
  const words = optionMessages();
  const { failure, run, isBusy } = useAction();
  const stored = group?.options.find((each) => each.id === id);
  if (!group || !stored) return null;
  return (
    <>
      <div class="row dish-form-sale">
        <span aria-hidden="true">
          {managerMessages().dish.onSale}
          <small class="field-hint">{words.onSaleHint}</small>
        </span>
        <Switch
          label={managerMessages().menu.onSaleOf(name)}
          isOn={stored.available}
          isBusy={isBusy}
          onChange={(available) =>
            void run(() => session.options.setAvailable({ id: group.id, option_id: stored.id, available }))
          }
        />
      </div>
      <Failure of={failure} />
    </>
  );
}
