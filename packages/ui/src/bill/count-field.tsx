import { Icon } from '../icon.tsx';
import './count-field.css';
import { billMessages } from './messages.ts';

type CountFieldProps = { label: string; value: number; min: number; max: number; onChange: (value: number) => void };

/** A field for a whole number, with a minus and a plus button of 56 px. */
export function CountField({ label, value, min, max, onChange }: CountFieldProps) {
  const words = billMessages();
  const set = (next: number): void => {
    if (Number.isInteger(next)) onChange(Math.min(max, Math.max(min, next)));
  };
  return (
    <div class="row wrap gap-1 count-field">
      <span aria-hidden="true">{label}</span>
      <div>
        <button
          type="button"
          aria-label={words.less(label)}
          aria-disabled={value <= min}
          onClick={() => set(value - 1)}
        >
          <Icon name="minus" />
        </button>
        <input
          type="number"
          inputMode="numeric"
          aria-label={label}
          min={min}
          max={max}
          value={value}
          onInput={(event) => event.currentTarget.value !== '' && set(event.currentTarget.valueAsNumber)}
        />
        <button type="button" aria-label={words.one(label)} aria-disabled={value >= max} onClick={() => set(value + 1)}>
          <Icon name="plus" />
        </button>
      </div>
    </div>
  );
}
