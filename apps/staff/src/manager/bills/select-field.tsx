import { useId } from 'preact/hooks';

type SelectFieldProps = {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** The choice for every value, which is empty. */
  any: string;
  options: readonly { value: string; text: string }[];
};

/** A field in which the user selects one of several values, or any. */
export function SelectField({ label, value, onInput, any, options }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
      </div>
      <select id={id} class="field-input" value={value} onChange={(event) => onInput(event.currentTarget.value)}>
        <option value="">{any}</option>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
        {/* Until the options are loaded, the selected one keeps its place. */}
        {value !== '' && options.every((each) => each.value !== value) && <option value={value}>{value}</option>}
      </select>
    </div>
  );
}
