import { allergenNames, type Allergen } from '@comanda/ui/allergens.ts';
import { Chip } from '@comanda/ui/chip.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { managerMessages } from '../messages.ts';
import type { UsedDishForm } from './use-dish-form.ts';

/** The dish's allergens, or that it has none. */
export function AllergenChoice({ form: { draft, tap, change } }: { form: UsedDishForm }) {
  const words = managerMessages().dish;
  const names = allergenNames();
  const { allergens: chosen, noAllergens } = draft;
  const isNone = chosen.length === 0 && noAllergens;
  return (
    <fieldset class="manager-chips dish-form-allergens">
      <legend>{words.allergens(chosen.length)}</legend>
      {chosen.length === 0 && !isNone && <p class="manager-warning">{words.noAllergens}</p>}
      <div>
        {chosen.length === 0 && (
          <Chip
            pressed={isNone}
            icon={isNone && <Icon name="check" size={20} />}
            onClick={() => change({ noAllergens: !noAllergens })}
          >
            {words.noneOf14}
          </Chip>
        )}
        {(Object.keys(names) as Allergen[]).map((each) => {
          const isChosen = chosen.includes(each);
          return (
            <Chip
              key={each}
              pressed={isChosen}
              icon={isChosen && <Icon name="check" size={20} />}
              onClick={() => tap(each)}
            >
              {names[each]}
            </Chip>
          );
        })}
      </div>
    </fieldset>
  );
}
