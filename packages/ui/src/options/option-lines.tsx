import type { ItemOption } from '@comanda/contracts/item-options';
import './option-lines.css';
import { countedName } from './option-text.ts';

/** `lang` is the language of the option's name, if it isn't the page's language. */
type Option = ItemOption & { lang?: string | undefined };

type OptionLinesProps = {
  options: readonly Option[] | undefined;
  /** How many dishes have these options. */ dishes: number;
};
/** Lists the chosen options of a dish, below its name: each on a line, with those that it has opened below it. */
export const OptionLines = ({ options, dishes }: OptionLinesProps) =>
  !options || options.length === 0 ? null : (
    <ul class="option-lines">
      {options.map((option) => (
        <li key={option.id}>
          <span lang={option.lang}>{countedName(option, dishes)}</span>
          <OptionLines options={option.options} dishes={dishes} />
        </li>
      ))}
    </ul>
  );
