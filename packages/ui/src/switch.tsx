import './switch.css';

type SwitchProps = { label: string; isOn: boolean; isBusy?: boolean; onChange: (isOn: boolean) => void };

/** An on/off switch of 56 × 32 px, in a touch target 68 px wide and 48 px high. */
export const Switch = ({ label, isOn, isBusy = false, onChange }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    class="centre switch"
    aria-label={label}
    aria-checked={isOn}
    aria-busy={isBusy}
    onClick={() => !isBusy && onChange(!isOn)}
  >
    <span />
  </button>
);
