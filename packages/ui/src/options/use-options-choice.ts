import type { AskedOption, ItemOption } from '@comanda/contracts/item-options';
import type { MenuItem } from '@comanda/contracts/menu';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { toAskedOption } from '@comanda/contracts/asked-options';
import { toItemOption } from '@comanda/contracts/chosen-options';
import { chooseOptions, unitPriceOf, type Choice } from '@comanda/contracts/options';
import { useState } from 'preact/hooks';
import { firstWrong, goneOf, type Offer } from './choice.ts';

export type OptionsChoice = {
  /** The chosen options as an order's item has them, with the defaults. Show them with `OptionLines`. */
  options: ItemOption[];
  /** The price of one dish with them. */
  unitPrice: string;
  /** The first group in which something must still be chosen, or changed; null if the dish can be ordered like this. */
  wrong: OptionGroup | null;
  /** Marks all such groups, scrolls to the first one and focuses it. Call it if the person tries to go on. */
  showWrong: () => void;
  /** For `ChooseOptions` alone. */
  state: ChoiceState;
};
export type ChoiceState = {
  choice: Choice<OptionGroup>;
  groupIds: readonly number[];
  offer: Offer;
  /** True if the dish itself costs nothing, so that its options have the price. */
  isBase: boolean;
  gone: readonly ItemOption[];
  /** How often `showWrong` was called. */
  shown: number;
  choose: (asked: readonly AskedOption[]) => void;
};

type ChoiceOf = {
  dish: Pick<MenuItem, 'price' | 'option_group_ids'>;
  offer: Offer;
  /** The options of an earlier choice, to change it. Those that are no longer offered are named. */
  earlier?: readonly ItemOption[] | undefined;
  /** The dish's own price if a person has set it, or if it depends on the weight. The default is the menu's. */
  dishPrice?: string;
};

/**
 * A person's choice of options for one dish, before it is in an order:
 *
 *     const choice = useOptionsChoice({ dish, offer });
 *     <ChooseOptions choice={choice} currency={dish.currency} avoided={avoided} />
 *     <Button onClick={() => (choice.wrong ? choice.showWrong() : add(choice.options))}>
 *       {choice.wrong ? words.choose(choice.wrong.name) : formatMoney(choice.unitPrice, dish.currency)}
 *     </Button>
 *
 * `POST /orders` gets `choice.options.map(toAskedOption)`. To start with another dish, give the component another `key`.
 */
export function useOptionsChoice({ dish, offer, earlier = [], dishPrice = dish.price }: ChoiceOf): OptionsChoice {
  const groupIds = dish.option_group_ids ?? [];
  const [asked, setAsked] = useState<readonly AskedOption[]>(() => earlier.map(toAskedOption));
  const [shown, setShown] = useState(0);
  const [gone] = useState(() => goneOf(earlier, chooseOptions({ groupIds, asked }, offer.groups).options));
  const choice = chooseOptions({ groupIds, asked }, offer.groups);
  return {
    options: choice.options.map(toItemOption),
    unitPrice: fromMinor(unitPriceOf(toMinor(dishPrice), choice)),
    wrong: firstWrong(choice, groupIds, offer),
    showWrong: () => setShown(shown + 1),
    state: { choice, groupIds, offer, isBase: toMinor(dishPrice) === 0n, gone, shown, choose: setAsked },
  };
}
