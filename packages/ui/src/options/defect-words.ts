import type { ItemOption } from '@comanda/contracts/item-options';
import type { OptionDefect } from '@comanda/contracts/options';
import type { Language } from '@comanda/contracts/rules';
import { flat, type Offer } from './choice.ts';
import { optionMessages } from './messages.ts';
import { optionName } from './option-name.ts';

/** Why a line can't be ordered with its options: the defects, as in `options_invalid`, and the ids of sold-out options. */
export type OptionTrouble = {
  defects: readonly Pick<OptionDefect, 'reason' | 'group_id' | 'option_id'>[];
  soldOut: readonly number[];
};
type Names = {
  groups: Offer['groups'];
  /** The line's options, whose names are known even if they are gone. */ chosen: readonly ItemOption[];
  menuLanguage?: Language | undefined;
};

/** Names each defect in a sentence. */
export function troubleWords({ defects, soldOut }: OptionTrouble, { groups, chosen, menuLanguage }: Names): string[] {
  const words = optionMessages();
  const offered = [...groups.values()].flatMap(({ options }) => options);
  const known = [...offered, ...flat(chosen)];
  const nameOf = (id: number | null): string => {
    const option = known.find((each) => each.id === id);
    return option ? optionName(option, menuLanguage).text : words.anOption;
  };
  return [
    ...soldOut.map((id) => words.lineSoldOut(nameOf(id))),
    ...defects.map(({ reason, group_id: groupId, option_id: optionId }) => {
      const group = groups.get(groupId ?? 0);
      const groupName = group ? optionName(group, menuLanguage).text : words.anOption;
      if (reason === 'too_few') return words.lineTooFew(groupName);
      if (reason === 'too_many') return words.atMost(groupName, group?.max ?? 1);
      if (reason === 'unknown') return words.lineGone(nameOf(optionId));
      return words.atMost(nameOf(optionId), offered.find(({ id }) => id === optionId)?.max_each ?? 1);
    }),
  ];
}
