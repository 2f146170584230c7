import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { fromMinor } from '@comanda/contracts/money';
import { allergensOf, canBeOrdered, isOptionAvailable } from '@comanda/contracts/options-on-offer';
import type { Language } from '@comanda/contracts/rules';
import type { ComponentChildren } from 'preact';
import { allergenNames, type Allergen } from '../allergens.ts';
import { classNames } from '../class-names.ts';
import { formatList, formatMoney } from '../format.ts';
import { Icon } from '../icon.tsx';
import { Stepper } from '../stepper.tsx';
import type { Chosen, Offer, withChange } from './choice.ts';
import { optionMessages } from './messages.ts';
import { optionName } from './option-name.ts';
import { shareOf } from './option-text.ts';
import { rowPrice } from './row-price.ts';
import type { ChoiceState } from './use-options-choice.ts';
import { Money } from '../money.tsx';

export type Shown = Pick<ChoiceState, 'choice' | 'offer' | 'isBase'> & {
  currency: string;
  avoided: ReadonlySet<Allergen>;
  menuLanguage: Language | undefined;
  /** True if the person has tried to go on, so that groups with too few options are marked. */
  isMarked: boolean;
  /** True if the options are only listed. */
  isListed: boolean;
  change: (change: Parameters<typeof withChange>[1]) => void;
};

/** Returns true if the option is on offer, and so is enough of what must be chosen below it. */
function isOnOffer(option: Option, offer: Offer): boolean {
  const { option_group_ids: opened } = option;
  const opens = { price: '0.00', available: true, portions_left: null, allergens: [], option_group_ids: opened };
  return isOptionAvailable(option, offer) && canBeOrdered(opens, offer);
}

/** The row for no option, in a group of which one can be chosen. */
export const NoneRow = ({ name, isChosen, onChoose }: { name: string; isChosen: boolean; onChoose: () => void }) => (
  <li class="stack option">
    <label class="row wrap option-main">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span class="centre option-mark option-mark-round" />
      <span class="option-text">{optionMessages().none}</span>
    </label>
  </li>
);

type Contents = { contains: string | null; isClash: boolean; warning: string | null; isUnstated: boolean };
const noContents: Contents = { contains: null, isClash: false, warning: null, isUnstated: false };

/** What the row says about the option's allergens. */
function contentsOf(option: Option, { offer, avoided }: Pick<Shown, 'offer' | 'avoided'>): Contents {
  const words = optionMessages();
  const allergens = allergensOf(option, offer);
  if (allergens === null) return { ...noContents, warning: words.unstated, isUnstated: avoided.size > 0 };
  if (allergens.length === 0) return noContents;
  return {
    ...noContents,
    contains: words.contains(formatList(allergens.map((each) => allergenNames()[each]))),
    isClash: allergens.some((each) => avoided.has(each)),
  };
}

type OptionRowProps = {
  shown: Shown;
  group: OptionGroup;
  option: Option;
  own: readonly Chosen[];
  /** The name of the group's radio buttons. */ name: string;
  /** True if no more of the group can be chosen. */ isFull: boolean;
  /** Returns false if so many can't be chosen. */ onSet: (quantity: number) => boolean;
  /** The groups that the option opens. */ children: ComponentChildren;
};

/** One option: a radio button or a checkbox, and a stepper if several can be had. */
export function OptionRow({ shown, group, option, own, name, isFull, onSet, children }: OptionRowProps) {
  const words = optionMessages();
  const { offer, menuLanguage, avoided, isListed } = shown;
  const Main = isListed ? 'div' : 'label';
  const { quantity = 0, of = null } = own.find((each) => each.option.id === option.id) ?? {};
  const share = quantity > 0 ? shareOf({ quantity, of }) : null;
  const isOut = !isOnOffer(option, offer);
  const isSingle = group.max === 1;
  const isBlocked = !isSingle && isFull && quantity === 0;
  const { text, lang } = optionName(option, menuLanguage);
  const isCounted = !isSingle && option.max_each > 1;
  const price = isOut ? null : priceText(shown, { group, option, own });
  const { contains, isClash, warning, isUnstated } = isOut
    ? { ...noContents, warning: words.soldOut }
    : contentsOf(option, { offer, avoided });
  return (
    <li
      class={classNames(
        'stack option',
        isOut && 'option-out',
        isBlocked && 'option-blocked',
        Boolean(children) && 'option-open',
      )}
    >
      <Main class="row wrap option-main">
        {!isListed && (
          <>
            <input
              type={isSingle ? 'radio' : 'checkbox'}
              name={isSingle ? name : undefined}
              aria-label={[text, price, warning, contains].filter(Boolean).join(', ')}
              checked={quantity > 0}
              disabled={isOut && quantity === 0}
              aria-disabled={isBlocked}
              onChange={({ currentTarget }) => {
                const isTaken = onSet(isSingle || quantity === 0 ? 1 : 0);
                if (!isTaken) currentTarget.checked = quantity > 0;
              }}
            />
            <span class={classNames('centre option-mark', isSingle && 'option-mark-round')}>
              {!isSingle && <Icon name="check" size={20} />}
            </span>
          </>
        )}
        <span class="option-text">
          <span lang={lang}>
            {share !== null && <b>{`${share} `}</b>}
            {text}
          </span>
          {warning && (
            <small class={classNames(isUnstated && 'option-warning', isOut && 'option-sold-out')}>{warning}</small>
          )}
          {contains && (
            <small class={classNames(isClash && 'option-clash')}>
              {isClash && <Icon name="warning" size={20} />}
              {contains}
            </small>
          )}
        </span>
        {price !== null && <Money class="option-price">{price}</Money>}
      </Main>
      {isCounted && quantity > 0 && (
        <Stepper
          value={quantity}
          min={0}
          max={isFull ? quantity : option.max_each}
          onChange={(next) => void onSet(next)}
          of={text}
        />
      )}
      {children}
    </li>
  );
}

/** Returns the text about the option's price; null if there is nothing to say. */
function priceText(shown: Shown, row: Pick<OptionRowProps, 'group' | 'option' | 'own'>): string | null {
  const words = optionMessages();
  const price = rowPrice({ ...row, isBase: shown.isBase && row.group.max === 1 && row.group.min > 0 }, shown.offer);
  if (price === null) return null;
  if (price.kind === 'included') return words.includedOne;
  const { kind, amount } = price;
  const money = formatMoney(fromMinor(amount < 0n ? -amount : amount), shown.currency);
  if (kind === 'from') return words.from(money);
  return `${amount < 0n ? '−\u00a0' : kind === 'adds' ? '+\u00a0' : ''}${money}`;
}
