import { languages } from '@comanda/contracts/rules';
import { useAction } from '@comanda/ui/use-action.ts';
import { ChipChoice } from '../chip-choice.tsx';
import { Failure } from '../failure.tsx';
import type { Restaurant } from '../restaurant.ts';
import './menu-language.css';
import { managerMessages } from '../messages.ts';

/** Selects the language in which the restaurant writes its menu. */
export function MenuLanguage({ restaurant }: { restaurant: Restaurant }) {
  const words = managerMessages();
  const { failure, run } = useAction();
  return (
    <section class="stack gap-2 menu-language">
      <ChipChoice
        legend={words.menu.writtenIn}
        choices={languages}
        chosen={restaurant.language.value}
        nameOf={(each) => words.languages[each]}
        onChoose={(chosen) => void run(() => restaurant.setLanguage(chosen))}
      />
      <p>{words.menu.writtenInHint}</p>
      <Failure of={failure} />
    </section>
  );
}
