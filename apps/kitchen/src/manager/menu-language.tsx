import { languages } from '@comanda/contracts/rules';
import { useAction } from '@comanda/ui/use-action.ts';
import { ChipChoice } from './chip-choice.tsx';
import { Failure } from './failure.tsx';
import type { House } from './house.ts';
import './menu-language.css';
import { managerMessages } from './messages.ts';

/** In which language the house writes its menu. */
export function MenuLanguage({ house }: { house: House }) {
  const words = managerMessages();
  const { failure, run } = useAction();
  return (
    <section class="menu-language">
      <ChipChoice
        legend={words.menu.writtenIn}
        choices={languages}
        chosen={house.language.value}
        nameOf={(each) => words.languages[each]}
        onChoose={(chosen) => void run(() => house.setLanguage(chosen))}
      />
      <p>{words.menu.writtenInHint}</p>
      <Failure of={failure} />
    </section>
  );
}
