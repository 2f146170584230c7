import { oneOfEachKey, textKey } from '@comanda/contracts/text-key';
import { useState } from 'preact/hooks';
import { Field } from '@comanda/ui/field.tsx';
import { messages } from '../../messages.ts';
import { SelectField } from '../bills/select-field.tsx';
import { managerMessages } from '../messages.ts';

type Props = { label: string; value: string; error: string | undefined; onInput: (value: string) => void };

const another = '\n';

/** Lets the manager select a station by name, or enter a new one. */
export function StationField({ stations, ...field }: Props & { stations: readonly string[] }) {
  const words = managerMessages().dish;
  const [isTyped, setIsTyped] = useState(false);
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
      <SelectField
        label={field.label}
        value={isTyped ? another : field.value}
        options={[
          ...options.map((value) => ({ value, text: messages().stations.names.get(textKey(value)) ?? value })),
          { value: another, text: words.stationOther },
        ]}
        hint={words.stationHint}
        onInput={choose}
      />
      {isTyped && <Field {...field} label={words.stationNew} autocomplete="off" />}
    </>
  );
}
