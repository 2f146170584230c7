import './switch.css';

type SwitchProps = { label: string; isOn: boolean; isBusy?: boolean; onChange: (isOn: boolean) => void };

/** A switch of 56 × 32 px with a touch target of 68 px. */
export const Switch = ({ label, isOn, isBusy = false, onChange }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    class="switch"
    aria-label={label}
    aria-checked={isOn}
    aria-busy={isBusy}
    onClick={() => !isBusy && onChange(!isOn)}
  >
    <span />
  </button>
);
