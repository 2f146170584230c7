import { fromMinor } from '@comanda/contracts/money';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import type { Language } from '@comanda/contracts/rules';
import { Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Allergen } from '../allergens.ts';
import { classNames } from '../class-names.ts';
import { formatList, formatMoney } from '../format.ts';
import { Icon } from '../icon.tsx';
import { scrollBehavior } from '../scroll-behavior.ts';
import { isWrong, mostOf, unitsOf, withChange, type Chosen, type Path } from './choice.ts';
import './choose-options.css';
import { optionMessages } from './messages.ts';
import { optionName } from './option-name.ts';
import { NoneRow, OptionRow, type Shown } from './option-row.tsx';
import { sharedPrice, sharesPrice } from './row-price.ts';
import type { OptionsChoice } from './use-options-choice.ts';

type ChooseOptionsProps = {
  choice: OptionsChoice;
  currency: string;
  /** The allergens that the person avoids. Options with them say so. */
  avoided?: ReadonlySet<Allergen>;
  /** The language in which the restaurant writes its menu, to show translations. Without it, names are as it wrote them. */
  menuLanguage?: Language | undefined;
  /** True to list the options without choosing, for a dish that only staff can order. */
  isListed?: boolean;
};

const none: ReadonlySet<Allergen> = new Set();

/** The option groups of a dish, with those that the chosen options open. See `useOptionsChoice`. */
export function ChooseOptions({
  choice: { state },
  currency,
  avoided = none,
  menuLanguage,
  isListed = false,
}: ChooseOptionsProps) {
  const { choice, groupIds, offer, isBase, gone, shown, choose } = state;
  const boxRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (shown === 0) return;
    const wrong = boxRef.current?.querySelector('.option-group-wrong');
    wrong?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
    wrong?.querySelector<HTMLElement>('input:not(:disabled)')?.focus({ preventScroll: true });
  }, [shown]);
  const props: Shown = {
    choice,
    offer,
    isBase,
    currency,
    avoided,
    menuLanguage,
    isMarked: shown > 0,
    isListed,
    change: (change) => choose(withChange(choice.options, change, offer)),
  };
  return (
    <div class="stack gap-4 choose-options" ref={boxRef}>
      {gone.length > 0 && (
        <p class="option-gone" role="status">
          <Icon name="warning" size={20} />
          <span>{optionMessages().gone(formatList(gone.map((each) => optionName(each, menuLanguage).text)))}</span>
        </p>
      )}
      <Groups shown={props} ids={groupIds} path={[]} chosen={choice.options} />
    </div>
  );
}

type GroupsProps = { shown: Shown; ids: readonly number[]; path: Path; chosen: readonly Chosen[] };

/** Shows these groups. Groups that a single choice opens are below it, so that the other options stay where they are. */
function Groups({ shown, ids, path, chosen }: GroupsProps) {
  return (
    <>
      {ids.map((id) => {
        const group = shown.offer.groups.get(id);
        if (!group) return null;
        const own = chosen.filter((each) => each.group.id === id);
        return (
          <Fragment key={id}>
            <Group shown={shown} group={group} path={path} own={own} />
            {group.max === 1 &&
              own.map((each) => <Below key={each.option.id} shown={shown} path={path} chosen={each} />)}
          </Fragment>
        );
      })}
    </>
  );
}

/** The groups that a chosen option opens. */
const Below = ({ shown, path, chosen: { option, options } }: { shown: Shown; path: Path; chosen: Chosen }) => (
  <Groups shown={shown} ids={option.option_group_ids} path={[...path, option.id]} chosen={options} />
);

type GroupProps = { shown: Shown; group: OptionGroup; path: Path; own: readonly Chosen[] };

function Group({ shown, group, path, own }: GroupProps) {
  const words = optionMessages();
  const id = useId();
  const { choice, offer, menuLanguage, isMarked, isListed, change } = shown;
  const units = unitsOf(own);
  /** Why the last tap changed nothing. It disappears with the next change. */
  const [note, setNote] = useState({ text: '', units });
  const { text, lang } = optionName(group, menuLanguage);
  const most = mostOf(group);
  const isFull = units >= most;
  const isBad = isWrong(choice, { group, parent: path.at(-1) ?? null, own, offer });
  // A choice that was made before may be wrong because the menu has changed. That is said at once.
  const isMarkedWrong = isBad && (isMarked || units >= group.min);
  const rule = ruleOf(group);
  /** Sets how many units of the option are chosen; null means none of the group. Returns false if that isn't possible. */
  const set = (option: Option | null, quantity: number): boolean => {
    const before = own.find((each) => each.option.id === option?.id)?.quantity ?? 0;
    const isTooMany = group.max > 1 && quantity > before && isFull;
    // Without any option of the group, the server would take the defaults.
    const isEmptied = group.max > 1 && group.min > 0 && units - before + quantity === 0;
    const isRefused = isTooMany || (isEmptied && group.options.some((each) => each.default));
    if (isRefused) setNote({ text: isTooMany ? words.full(most) : words.keepOne, units });
    else change({ path, group, option, quantity });
    return !isRefused;
  };
  return (
    <div
      class={classNames(
        'option-group',
        path.length > 0 && 'option-group-opened',
        isMarkedWrong && 'option-group-wrong',
      )}
      role="group"
      aria-label={`${text}, ${rule}`}
    >
      <div class="option-group-head">
        <h2 lang={lang}>{text}</h2>
        <p class="option-group-rule">{rule}</p>
        {!isListed && <State group={group} units={units} />}
      </div>
      <Price shown={shown} group={group} own={own} />
      <p class="option-group-note" role="status">
        {(note.units === units && note.text) || (isMarkedWrong && faultOf(group, own, menuLanguage))}
      </p>
      <ul>
        {group.max === 1 && group.min === 0 && !isListed && (
          <NoneRow name={id} isChosen={own.length === 0} onChoose={() => void set(null, 0)} />
        )}
        {group.options.map((option) => {
          const chosen = own.find((each) => each.option.id === option.id);
          return (
            <OptionRow
              key={option.id}
              shown={shown}
              group={group}
              option={option}
              own={own}
              name={id}
              isFull={isFull}
              onSet={(quantity) => set(option, quantity)}
            >
              {group.max > 1 && chosen && option.option_group_ids.length > 0 && (
                <Below shown={shown} path={path} chosen={chosen} />
              )}
            </OptionRow>
          );
        })}
      </ul>
    </div>
  );
}

/** Says how many to choose, and how many of them are included. */
function ruleOf(group: OptionGroup): string {
  const words = optionMessages();
  const { min, max, free } = group;
  const most = mostOf(group);
  const count =
    min === most
      ? words.exactly(min)
      : min > 0
        ? words.between(min, most)
        : max === 1
          ? words.optional
          : words.upTo(most);
  return free > 0 ? `${count}, ${words.included(free)}` : count;
}

/** Says what to do about a group that can't be ordered like this. */
function faultOf({ min, max }: OptionGroup, own: readonly Chosen[], menuLanguage: Language | undefined): string {
  const words = optionMessages();
  const units = unitsOf(own);
  const tooMany = own.find(({ option, quantity }) => quantity > option.max_each);
  if (tooMany) return words.atMost(optionName(tooMany.option, menuLanguage).text, tooMany.option.max_each);
  if (units > max) return words.tooMany(units - max);
  if (units >= min) return words.soldOutChosen;
  return units === 0 && min === 1 ? words.chooseOne : words.tooFew(min - units);
}

/** Shows whether the group is required and how much of it is chosen. */
function State({ group, units }: { group: OptionGroup; units: number }) {
  const words = optionMessages();
  const most = mostOf(group);
  const isDone = units >= group.min && units > 0;
  if (group.min > 0 && units === 0) return <span class="edge row gap-1 option-group-state">{words.required}</span>;
  if (!isDone && most === 1) return null;
  return (
    <span class={classNames('edge row gap-1 option-group-state', isDone && 'option-group-done')}>
      {isDone && <Icon name="check" size={20} />}
      {most > 1 && <span>{words.counted(units, most)}</span>}
    </span>
  );
}

/** Explains the price of a group in which it depends on what is chosen together. */
function Price({ shown, group, own }: Pick<GroupProps, 'shown' | 'group' | 'own'>) {
  const words = optionMessages();
  if (!sharesPrice(group)) return null;
  const now = sharedPrice(group, own);
  const [text, textNow] =
    group.price_method === 'average' ? [words.average, words.averageNow] : [words.dearest, words.dearestNow];
  return (
    <p class="dim">
      {now === null ? text(mostOf(group)) : textNow(unitsOf(own), formatMoney(fromMinor(now), shown.currency))}
    </p>
  );
}
