import type { LiveItem } from '@comanda/client/core';
import { toAskedOption } from '@comanda/contracts/asked-options';
import { chooseOptions } from '@comanda/contracts/options';
import { areGroupsKnown } from '@comanda/contracts/options-on-offer';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { firstWrong, type Offer } from '@comanda/ui/options/choice.ts';
import { troubleWords } from '@comanda/ui/options/defect-words.ts';
import { countOf, type DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';

/** Says why one of these lines can't be ordered, because the menu has changed; null if it can. */
export function troubleOf(line: DraftLine, lines: readonly DraftLine[], offer: Offer): string | null {
  const words = waiterMessages().order;
  const dish = offer.dishes.get(line.dishId);
  if (!dish) return offer.dishes.size > 0 ? words.lineGone : null;
  if (isSoldOut(dish)) return words.lineSoldOut;
  const { portions_left: left, pricing } = dish;
  if (left !== null && countOf(lines.filter(({ dishId }) => dishId === dish.id)) > left) return words.lineTooMany(left);
  if (pricing === 'per_kg' && line.measure === null) return words.enterWeight;
  if (pricing === 'open' && line.unitPrice === null) return words.enterPrice;
  return optionTroubleOf(line, dish, offer);
}

/** Says what must be chosen again of a line's options; null if nothing must. */
function optionTroubleOf({ options }: DraftLine, dish: LiveItem, offer: Offer): string | null {
  const { option_group_ids: groupIds = [] } = dish;
  if (!areGroupsKnown(groupIds, offer.groups)) return null;
  const choice = chooseOptions({ groupIds, asked: options.map(toAskedOption) }, offer.groups);
  const wrong = firstWrong(choice, groupIds, offer);
  if (wrong) return waiterMessages().order.choose(wrong.name);
  const { defects } = choice;
  return troubleWords({ defects, soldOut: [] }, { groups: offer.groups, chosen: options }).join(' ') || null;
}
