import { allergenNames } from '@comanda/ui/allergens.ts';
import { Chip } from '@comanda/ui/chip.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatList } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import { basket, maxAllergies, setAllergies } from '../state/basket.ts';
import { avoided } from '../state/menu.ts';

/** The guest's allergies, which go with the whole order. What they hide on the menu is proposed. */
export function AllergiesField() {
  const words = messages();
  const proposal = formatList(avoided.value.map((each) => allergenNames()[each]));
  const { allergies } = basket.value;
  return (
    <div class="allergies">
      <Field
        label={words.allergies}
        hint={words.allergiesNote}
        value={allergies}
        onInput={setAllergies}
        maxLength={maxAllergies}
        placeholder={words.allergiesExample}
      />
      {proposal !== '' && allergies === '' && (
        <Chip pressed={false} onClick={() => setAllergies(proposal)}>
          {words.allergiesTake(proposal)}
        </Chip>
      )}
    </div>
  );
}
