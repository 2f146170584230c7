import { pricings, type Pricing } from '@comanda/contracts/weight';
import { Icon } from '@comanda/ui/icon.tsx';
import { useId } from 'preact/hooks';
import { managerMessages } from '../messages.ts';
import type { UsedDishForm } from './use-dish-form.ts';

/** Whether the dish has a fixed price, one that staff enter, or one for a kilogram. */
export function PricingField({ form: { draft, change, errorOf } }: { form: UsedDishForm }) {
  const words = managerMessages().dish;
  const id = useId();
  const error = errorOf('pricing');
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{words.pricing}</label>
      </div>
      <select
        id={id}
        class="field-input"
        value={draft.pricing}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-hint`}
        onChange={(event) => change({ pricing: event.currentTarget.value as Pricing })}
      >
        {pricings.map((each) => (
          <option key={each} value={each}>
            {words.pricings[each]}
          </option>
        ))}
      </select>
      <p class={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-hint`}>
        {error !== undefined && <Icon name="warning" size={20} />}{' '}
        {error ?? (draft.pricing !== 'fixed' && words.pricingHint)}
      </p>
    </div>
  );
}
