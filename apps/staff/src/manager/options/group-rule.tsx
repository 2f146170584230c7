import { priceMethods } from '@comanda/contracts/price-methods';
import { optionLimits } from '@comanda/contracts/rules';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { ruleText } from '../rule-text.ts';
import { Fault } from './fault.tsx';
import { optionMessages } from './messages.ts';
import type { UsedGroupForm } from './use-group-form.ts';

type Props = { form: UsedGroupForm; fault: string | undefined };

/** How many options guests choose, and what they cost together. */
export function GroupRule({ form: { draft, change }, fault }: Props) {
  const words = optionMessages();
  const { min, max, method, free } = draft;
  return (
    <fieldset class="stack gap-3 manager-fieldset">
      <legend>{words.guestsChoose}</legend>
      <div class="dish-form-pair">
        <Count label={words.atLeast}>
          <Stepper
            of={words.atLeast}
            value={min}
            min={0}
            max={optionLimits.maxUnits}
            onChange={(next) => change({ min: next, max: Math.max(max, next) })}
          />
        </Count>
        <Count label={words.atMost}>
          <Stepper
            of={words.atMost}
            value={max}
            min={1}
            max={optionLimits.maxUnits}
            onChange={(next) => change({ max: next, min: Math.min(min, next), free: Math.min(free, next) })}
          />
        </Count>
      </div>
      <p class="field-hint" role="status">
        {words.guestsRead} <strong>{ruleText(min, max)}</strong>. {min === 0 ? words.isOptional : words.isRequired}
      </p>
      {max === 1 && method === 'sum' && <p class="field-hint">{words.halfHint}</p>}
      <Fault text={fault} />
      {(max > 1 || method !== 'sum') && <Method {...{ method }} onChange={(next) => change({ method: next })} />}
      {method === 'sum' && (max > 1 || free > 0) && (
        <div class="stack gap-3">
          <Count label={words.free}>
            <Stepper of={words.free} value={free} min={0} max={max} onChange={(next) => change({ free: next })} />
          </Count>
          <p class="field-hint">{words.freeHint(free)}</p>
        </div>
      )}
    </fieldset>
  );
}

const Count = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="field">
    <div class="field-head">
      <span aria-hidden="true">{label}</span>
    </div>
    {children}
  </div>
);

type MethodProps = {
  method: (typeof priceMethods)[number];
  onChange: (method: (typeof priceMethods)[number]) => void;
};
function Method({ method, onChange }: MethodProps) {
  const words = optionMessages();
  const name = useId();
  return (
    <fieldset class="stack group-method">
      <legend>{words.price}</legend>
      {priceMethods.map((each) => (
        <label key={each} class={each === method ? 'group-method-chosen' : undefined}>
          <input type="radio" name={name} checked={each === method} onChange={() => onChange(each)} />
          <span>
            {words.methods[each]}
            <small>{words.methodExamples[each]}</small>
          </span>
        </label>
      ))}
      {method === 'max' && (
        <p class="on-amber-soft group-warning">
          <Icon name="warning" size={20} /> {words.maxWarning}
        </p>
      )}
    </fieldset>
  );
}
