import './switch.css';

type SwitchProps = { label: string; isOn: boolean; isBusy?: boolean; onChange: (isOn: boolean) => void };

/** 56 × 32 px in a target of 68. */
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
