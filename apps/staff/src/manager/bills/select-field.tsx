import { Icon } from '@comanda/ui/icon.tsx';
import { useId } from 'preact/hooks';

type SelectFieldProps<V extends string> = {
  label: string;
  value: V;
  onInput: (value: V) => void;
  /** The choice for every value, which is empty. */
  any?: string;
  options: readonly { value: V; text: string }[];
  hint?: string | false;
  /** Why the value is rejected. It replaces the hint. */
  error?: string | undefined;
};

/** A field in which the user selects one of several values, or any. */
export function SelectField<V extends string>(props: SelectFieldProps<V>) {
  const { label, value, onInput, any, options, hint, error } = props;
  const id = useId();
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
      </div>
      <select
        id={id}
        class="field-input"
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onInput(event.currentTarget.value as V)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.text}
          </option>
        ))}
        {/* Until the options are loaded, the selected one keeps its place. */}
        {value !== '' && options.every((each) => each.value !== value) && <option value={value}>{value}</option>}
      </select>
      {hint !== undefined && (
        <p class={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-hint`}>
          {error !== undefined && <Icon name="warning" size={20} />} {error ?? hint}
        </p>
      )}
    </div>
  );
}
