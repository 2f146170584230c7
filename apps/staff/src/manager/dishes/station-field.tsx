import { oneOfEachKey, textKey } from '@comanda/contracts/text-key';
import { useId, useState } from 'preact/hooks';
import { Field } from '@comanda/ui/field.tsx';
import { messages } from '../../messages.ts';
import { managerMessages } from '../messages.ts';

type Props = { label: string; value: string; error: string | undefined; onInput: (value: string) => void };

const another = '\n';

/** Lets the manager select a station by name, or enter a new one. */
export function StationField({ stations, ...field }: Props & { stations: readonly string[] }) {
  const words = managerMessages().dish;
  const [isTyped, setIsTyped] = useState(false);
  const id = useId();
  const choose = (value: string): void => {
    setIsTyped(value === another);
    field.onInput(value === another ? '' : value);
  };
  const isChosen = (each: string): boolean => !isTyped && textKey(each) === textKey(field.value);
  // The select shows a value only if an option is spelled exactly the same, so the dish's spelling is used.
  const written = stations.map((each) => (isChosen(each) ? field.value : each));
  const options = oneOfEachKey(isTyped ? written : [...written, field.value]);
  return (
    <>
      <div class="field">
        <div class="field-head">
          <label for={id}>{field.label}</label>
        </div>
        <select
          id={id}
          class="field-input"
          aria-describedby={`${id}-hint`}
          value={isTyped ? another : field.value}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {options.map((each) => (
            <option key={each} value={each}>
              {messages().stations.names.get(textKey(each)) ?? each}
            </option>
          ))}
          <option value={another}>{words.stationOther}</option>
        </select>
        <p class="field-hint" id={`${id}-hint`}>
          {words.stationHint}
        </p>
      </div>
      {isTyped && <Field {...field} label={words.stationNew} autocomplete="off" />}
    </>
  );
}
