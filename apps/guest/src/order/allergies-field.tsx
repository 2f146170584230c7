import { Field } from '@comanda/ui/field.tsx';
import { inOneLine } from '@comanda/ui/plain-text.ts';
import { useGuest } from '../contexts.ts';
import { maxAllergies } from './basket.ts';
import { orderMessages } from './messages.ts';

/** The field for the guest's allergies, which apply to the whole order. */
export function AllergiesField() {
  const words = orderMessages();
  const { allergies, setAllergies } = useGuest().basket;
  return (
    <div class="allergies">
      <Field
        label={words.allergies}
        hint={words.allergiesNote}
        value={allergies.value}
        onInput={(text) => setAllergies(inOneLine(text))}
        rows={2}
        maxLength={maxAllergies}
        placeholder={words.allergiesExample}
      />
    </div>
  );
}
