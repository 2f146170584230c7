import { Icon } from './icon.tsx';
import { uiMessages } from './messages.ts';
import './stepper.css';

type StepperProps = {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  /** What is counted, for example a dish's name. */ of: string;
  /** The text to show instead of the number, such as `1 of 3`. */ shown?: string;
};

/** A number between a minus and a plus button of 56 px each. */
export const Stepper = ({ value, min, max, onChange, of, shown }: StepperProps) => (
  <div class="row stepper" role="group" aria-label={`${uiMessages().quantity}, ${of}`}>
    <button
      type="button"
      aria-label={uiMessages().fewer}
      aria-disabled={value <= min}
      onClick={() => value > min && onChange(value - 1)}
    >
      <Icon name="minus" />
    </button>
    <output aria-label={of}>{shown ?? value}</output>
    <button
      type="button"
      aria-label={uiMessages().more}
      aria-disabled={value >= max}
      onClick={() => value < max && onChange(value + 1)}
    >
      <Icon name="plus" />
    </button>
  </div>
);
