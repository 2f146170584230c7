import type { ItemOption } from '@comanda/contracts/item-options';
import './option-lines.css';
import { optionText } from './option-text.ts';

type OptionLinesProps = {
  /** `lang` is the language of the option's name, if it isn't the page's language. */
  options: readonly (ItemOption & { lang?: string | undefined })[] | undefined;
};

/** Lists the chosen options of a dish, below its name. */
export const OptionLines = ({ options }: OptionLinesProps) =>
  !options || options.length === 0 ? null : (
    <ul class="option-lines">
      {options.map((option) => (
        <li key={option.id} lang={option.lang}>
          {optionText(option)}
        </li>
      ))}
    </ul>
  );
