import { Chip } from '../chip.tsx';
import { Field } from '../field.tsx';
import { formatMoney, formatRate } from '../format.ts';
import './choose-tip.css';
import { billMessages } from './messages.ts';
import { tipOf, type TipChoice } from './tip-choice.ts';

type ChooseTipProps = {
  choice: TipChoice;
  /** The amount to pay without the tip, such as `"32.67"`. */
  amount: string;
  currency: string;
  /** The tips that the restaurant suggests, in percent. */
  suggestions: readonly string[];
  onChange: (choice: TipChoice) => void;
};

/** Lets the user select a suggested tip, enter another amount, or give no tip. */
export function ChooseTip({ choice, amount, currency, suggestions, onChange }: ChooseTipProps) {
  const words = billMessages();
  const isTyped = choice !== null && choice !== 'none' && 'typed' in choice;
  const isRate = (rate: string): boolean =>
    choice !== null && choice !== 'none' && 'rate' in choice && choice.rate === rate;
  return (
    <div class="stack gap-3 choose-tip" role="group" aria-label={words.tip}>
      <div class="wrap gap-2">
        <Chip pressed={choice === 'none'} onClick={() => onChange('none')}>
          {words.noTip}
        </Chip>
        {suggestions.map((rate) => (
          <Chip key={rate} pressed={isRate(rate)} onClick={() => onChange({ rate })}>
            {words.tipOf(formatRate(rate), formatMoney(tipOf({ rate }, amount) ?? '0.00', currency))}
          </Chip>
        ))}
        <Chip pressed={isTyped} onClick={() => onChange({ typed: '' })}>
          {words.ownTip}
        </Chip>
      </div>
      {isTyped && (
        <Field
          label={words.tip}
          value={choice.typed}
          inputMode="decimal"
          error={tipOf(choice, amount) === null ? words.amountInvalid : undefined}
          onInput={(typed) => onChange({ typed })}
        />
      )}
    </div>
  );
}
