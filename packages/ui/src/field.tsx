import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './field.css';
import { Icon } from './icon.tsx';

type FieldProps = {
  label: string;
  name?: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
  /** The maximum number of characters. A counter such as "26 / 140" appears beside the label. */
  maxLength?: number;
  /** The initial number of lines, for a multi-line field. Without it, the field has a single line. */
  rows?: number;
  type?: 'text' | 'email' | 'password' | 'search' | 'date';
  autocomplete?: string;
  /** The keyboard that phones show for this field. */
  inputMode?: 'numeric' | 'decimal';
  placeholder?: string;
  /** The language of the text in the field, if it isn't the page's language. */
  lang?: string;
  required?: boolean;
  readOnly?: boolean;
  /** Suggestions to choose from. The user can also enter any other text. */
  choices?: readonly string[];
};

/** A text field with a label. It can have several lines, a hint, and an error message. */
export function Field({ label, value, onInput, hint, error, rows, choices, ...rest }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const { type = 'text', maxLength, ...attributes } = rest;
  // Preact has a different type of attributes for each `type` of input, and a variable with several types fits none of them.
  const oneType = type as 'text';
  const shared = {
    ...attributes,
    id,
    value,
    class: 'field-input',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    ...(maxLength !== undefined && { maxLength }),
    ...(choices && { list: `${id}-list`, autocomplete: 'off' }),
  };
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label}</label>
        {maxLength !== undefined && (
          <span class="field-count" aria-hidden="true">
            {value.length} / {maxLength}
          </span>
        )}
      </div>
      {rows === undefined ? (
        <input {...shared} type={oneType} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {choices && (
        <datalist id={`${id}-list`}>
          {choices.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="warning" size={20} /> {error}
        </p>
      )}
    </div>
  );
}
