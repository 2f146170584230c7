import { Icon } from './icon.tsx';
import { uiMessages } from './messages.ts';
import './stepper.css';

type StepperProps = {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
  /** What is counted. */ of: string;
};

/** A number between two buttons of 56 px. */
export const Stepper = ({ value, min, max, onChange, of }: StepperProps) => (
  <div class="stepper" role="group" aria-label={`${uiMessages().quantity}, ${of}`}>
    <button type="button" aria-label={uiMessages().fewer} disabled={value <= min} onClick={() => onChange(value - 1)}>
      <Icon name="minus" />
    </button>
    <output aria-live="polite">{value}</output>
    <button type="button" aria-label={uiMessages().more} disabled={value >= max} onClick={() => onChange(value + 1)}>
      <Icon name="plus" />
    </button>
  </div>
);
