import { Field } from '@comanda/ui/field.tsx';
import { messages } from '../messages.ts';
import { allergies, maxAllergies, setAllergies } from '../state/basket.ts';

/** The guest's allergies, which go with the whole order. */
export function AllergiesField() {
  const words = messages();
  return (
    <div class="allergies">
      <Field
        label={words.allergies}
        hint={words.allergiesNote}
        value={allergies.value}
        onInput={setAllergies}
        maxLength={maxAllergies}
        placeholder={words.allergiesExample}
      />
    </div>
  );
}
