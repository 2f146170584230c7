import { pricings } from '@comanda/contracts/weight';
import { SelectField } from '../bills/select-field.tsx';
import { managerMessages } from '../messages.ts';
import type { UsedDishForm } from './use-dish-form.ts';

/** Whether the dish has a fixed price, one that staff enter, or one for a kilogram. */
export function PricingField({ form: { draft, change, errorOf } }: { form: UsedDishForm }) {
  const words = managerMessages().dish;
  return (
    <SelectField
      label={words.pricing}
      value={draft.pricing}
      options={pricings.map((value) => ({ value, text: words.pricings[value] }))}
      hint={draft.pricing !== 'fixed' && words.pricingHint}
      error={errorOf('pricing')}
      onInput={(pricing) => change({ pricing })}
    />
  );
}
