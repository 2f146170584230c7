import { Chip } from '@comanda/ui/chip.tsx';

type ChipChoiceProps<V> = {
  legend: string;
  choices: readonly V[];
  chosen: V | null;
  nameOf: (choice: V) => string;
  onChoose: (choice: V) => void;
};

/** Lets the user select one of a few values. */
export const ChipChoice = <V extends string | number>({
  legend,
  choices,
  chosen,
  nameOf,
  onChoose,
}: ChipChoiceProps<V>) => (
  <fieldset class="manager-chips">
    <legend>{legend}</legend>
    {choices.map((each) => (
      <Chip key={each} pressed={each === chosen} onClick={() => onChoose(each)}>
        {nameOf(each)}
      </Chip>
    ))}
  </fieldset>
);
