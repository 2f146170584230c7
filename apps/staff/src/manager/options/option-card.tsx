import type { VNode } from 'preact';
import { optionLimits } from '@comanda/contracts/rules';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { currencySign } from '../../currency-sign.ts';
import { currencyOf } from '../dishes/use-dish-form.ts';
import type { ManagerSession } from '../manager-session.ts';
import { Fault } from './fault.tsx';
import type { GroupFault, OptionDraft } from './group-draft.ts';
import { optionMessages } from './messages.ts';
import { OptionDetails } from './option-details.tsx';
import type { UsedGroupForm } from './use-group-form.ts';

export type OptionCardProps = {
  form: UsedGroupForm;
  session: ManagerSession;
  option: OptionDraft;
  /** The buttons that move the option. */
  controls: VNode;
  faults: readonly GroupFault[];
  isOpen: boolean;
  onToggle: () => void;
  /** Adds another option, after Enter in the last one; undefined if there is no room for one. */
  onEnter: (() => void) | undefined;
};

/** One option: its name and price, and the rest behind a button. */
export function OptionCard(props: OptionCardProps) {
  const { form, session, option, controls, faults, isOpen, onToggle, onEnter } = props;
  const words = optionMessages();
  const { key, name, price } = option;
  const faultOf = (...fields: readonly GroupFault['field'][]): string | undefined => {
    const fault = faults.find(({ field }) => fields.includes(field));
    return fault && words.faults[fault.field];
  };
  const isLast = form.draft.options[form.draft.options.length - 1]?.key === key;
  const others = faultOf('defaults', 'component', 'other', 'options', 'min', 'name');
  const sign = currencySign(currencyOf(session.menu.dishes.value ?? []));
  return (
    <div
      class={classNames('card option-card', isOpen && 'option-card-open')}
      data-option={key}
      onKeyDown={(event) => {
        const isInField = event.target instanceof HTMLInputElement && /text/.test(event.target.type);
        // What was typed a moment ago may not be rendered yet.
        const isNamed = event.currentTarget.querySelector('input')?.value.trim() !== '';
        if (event.key !== 'Enter' || !isInField || !isLast || !onEnter || !isNamed) return;
        event.preventDefault(); // Enter would save the group
        onEnter();
      }}
    >
      <div class="option-card-head">
        {controls}
        <div class="wrap gap-2 option-card-fields">
          <Field
            label={words.optionName}
            value={name}
            autocomplete="off"
            error={faultOf('optionName')}
            onInput={(next) => form.changeOption(key, { name: next })}
          />
          <Field
            label={words.optionPrice(form.draft.method === 'sum' ? `+ ${sign}` : sign)}
            value={price}
            {...(form.draft.method === 'sum' && { placeholder: '0' })}
            autocomplete="off"
            error={faultOf('price', 'below0')}
            onInput={(next) => form.changeOption(key, { price: next })}
          />
        </div>
      </div>
      <button type="button" class="row gap-2 option-card-more" aria-expanded={isOpen} onClick={onToggle}>
        <span class="option-card-facts">
          <Facts option={option} session={session} />
        </span>
        <span class="visually-hidden">{words.moreOf(name.trim() || words.newOption)}</span>
        <Icon name="chevron" size={20} />
      </button>
      <Fault text={others} />
      {isOpen && <OptionDetails {...{ form, session, option }} maxUnits={optionLimits.maxUnits} />}
    </div>
  );
}

/** What is set behind the button, in a few words. */
function Facts({ option, session }: { option: OptionDraft; session: ManagerSession }) {
  const words = optionMessages();
  const { kitchenName, maxEach, allergens, isDefault, groupIds, itemId, id } = option;
  const groups = session.options.groups.value ?? [];
  const dish = session.menu.dishes.value?.find((each) => each.id === itemId);
  const isOff = id !== null && groups.some(({ options }) => options.some((each) => each.id === id && !each.available));
  const facts = [
    kitchenName.trim(),
    isDefault && words.isDefault,
    maxEach > 1 && words.upTo(maxEach),
    dish && words.adds(dish.name),
    ...groupIds.flatMap((groupId) => {
      const opened = groups.find((each) => each.id === groupId);
      return opened ? words.opens(opened.name) : [];
    }),
    allergens?.length && words.allergenCount(allergens.length),
  ].filter(Boolean);
  return (
    <>
      {isOff && <b class="manager-warning">{words.isSoldOut} </b>}
      {allergens === null && itemId === null && <b class="manager-warning">{words.allergensUnstated} </b>}
      {facts.length > 0 ? facts.join(' · ') : words.moreHint}
    </>
  );
}
