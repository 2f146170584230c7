import type { LiveItem } from '@comanda/client/core';
import { priceOfMeasure } from '@comanda/contracts/weight';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { areGroupsKnown } from '@comanda/contracts/options-on-offer';
import { maxQuantity } from '@comanda/contracts/rules';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney, formatTyped, formatWeight } from '@comanda/ui/format.ts';
import { ChooseOptions } from '@comanda/ui/options/choose-options.tsx';
import { useOptionsChoice } from '@comanda/ui/options/use-options-choice.ts';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { ignorePresses } from '@comanda/ui/use-settled.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { DishAllergens, contentsOf } from './allergies.tsx';
import './remarks-field.css';
import './dish-sheet.css';
import './option-chips.css';
import type { DraftLine, NewLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';
import { readWeight, weightText } from './weight.ts';
import { Chip } from '@comanda/ui/chip.tsx';
import { hasRemark, toggleRemark, usualRemarks } from './remarks.ts';

/** The dish to order, or the line of the draft to change. */
export type OpenedDish = { dishId: number; lineId?: number };
export type OpenDish = (opened: OpenedDish) => void;

type DishSheetProps = {
  session: WaiterSession;
  /** Null if the sheet is closed. */
  opened: OpenedDish | null;
  onClose: () => void;
};

/** Asks what must be chosen and entered for a dish: options, weight or price, and remarks. */
export function DishSheet({ session, opened, onClose }: DishSheetProps) {
  const { dishes, groups } = session.offer.offer.value;
  const dish = opened ? dishes.get(opened.dishId) : undefined;
  const line = session.draft.draft.value.lines.find(({ id }) => id === opened?.lineId);
  const isLoaded = dish !== undefined && areGroupsKnown(dish.option_group_ids ?? [], groups);
  const key = `${opened?.dishId}/${opened?.lineId}`;
  return (
    <Dialog title={dish?.name ?? line?.name ?? ''} isOpen={opened !== null} onClose={onClose}>
      {isLoaded && <DishForm key={key} {...{ session, dish, line, onClose }} />}
      {!isLoaded && line && <RemarksForm key={key} {...{ session, line, onClose }} />}
      {!isLoaded && !line && opened && <LoadingRows />}
    </Dialog>
  );
}

type RemarksFormProps = { session: WaiterSession; line: DraftLine; onClose: () => void };

/** Without the menu, only the remarks can be changed. */
function RemarksForm({ session, line, onClose }: RemarksFormProps) {
  return (
    <div class="stack gap-4 waiter-dish-sheet">
      <RemarksField
        session={session}
        dish={line}
        remarks={line.remarks}
        onChange={(remarks) => session.draft.changeLine(line.id, { remarks })}
      />
      <div class="waiter-sheet-foot">
        <Button kind="primary" onClick={onClose}>
          {waiterMessages().order.done}
        </Button>
      </div>
    </div>
  );
}

type DishFormProps = {
  session: WaiterSession;
  dish: LiveItem;
  /** The line to change; undefined to add one. Changes are stored at once, so that closing the sheet loses nothing. */
  line: DraftLine | undefined;
  onClose: () => void;
};

function DishForm({ session, dish, line, onClose }: DishFormProps) {
  const { draft, offer } = session;
  const words = waiterMessages().order;
  const { id: dishId, name, currency, pricing = 'fixed' } = dish;
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [remarks, setRemarks] = useState(line?.remarks ?? '');
  const [typed, setTyped] = useState(startOf(dish, line));
  const numberRef = useRef<HTMLDivElement>(null);
  const measure = pricing === 'per_kg' ? readWeight(typed) : null;
  const unitPrice = pricing === 'open' ? readAmount(typed) : null;
  const dishPrice =
    measure === null ? (unitPrice ?? dish.price) : fromMinor(priceOfMeasure(toMinor(dish.price), measure));
  const choice = useOptionsChoice({ dish, offer: offer.offer.value, earlier: line?.options, dishPrice });
  const isMissing = pricing !== 'fixed' && measure === null && unitPrice === null;
  const isComplete = !isMissing && choice.wrong === null;
  const made: NewLine = {
    dishId,
    name,
    currency,
    quantity,
    remarks,
    price: choice.unitPrice,
    options: choice.options,
    measure,
    unitPrice,
  };
  const lineId = line?.id;
  const madeText = JSON.stringify(made);
  // A layout effect, because closing the sheet right after a change discards effects that wait for the next frame.
  useLayoutEffect(() => {
    if (lineId !== undefined && isComplete) draft.changeLine(lineId, JSON.parse(madeText) as NewLine);
  }, [draft, lineId, isComplete, madeText]);
  // The sheet opens with the focus in the field: the number is all that most dishes need.
  useLayoutEffect(() => numberRef.current?.querySelector('input')?.setAttribute('autofocus', ''), []);
  const finish = (): void => {
    if (isMissing) return numberRef.current?.querySelector('input')?.focus();
    if (choice.wrong) return choice.showWrong();
    ignorePresses();
    if (lineId === undefined) draft.add(made);
    onClose();
  };
  const [contents] = contentsOf([made], offer.offer.value);
  const total = formatMoney(fromMinor(toMinor(choice.unitPrice) * BigInt(quantity)), currency);
  return (
    <div class="stack gap-4 waiter-dish-sheet">
      <p class="waiter-dish-name">
        <DishAllergens contents={contents} allergies={draft.draft.value.allergies} shows="all" />
      </p>
      {pricing !== 'fixed' && (
        <div ref={numberRef} class="waiter-dish-number">
          <Field
            label={pricing === 'open' ? words.price : words.weight}
            inputMode="decimal"
            autocomplete="off"
            value={typed}
            onInput={setTyped}
            hint={pricing === 'open' ? undefined : weightHint(measure, formatMoney(dish.price, currency))}
          />
        </div>
      )}
      <ChooseOptions
        choice={choice}
        currency={currency}
        avoided={new Set(allergensNamedIn(draft.draft.value.allergies))}
      />
      <RemarksField session={session} dish={made} remarks={remarks} onChange={setRemarks} />
      <div class={classNames('waiter-sheet-foot', pricing !== 'per_kg' && 'waiter-sheet-foot-counted')}>
        {pricing !== 'per_kg' && (
          <Stepper value={quantity} min={1} max={maxQuantity} of={name} onChange={setQuantity} />
        )}
        <Button kind="primary" onClick={finish}>
          {isMissing
            ? pricing === 'open'
              ? words.enterPrice
              : words.enterWeight
            : choice.wrong
              ? words.choose(choice.wrong.name)
              : line
                ? made.options.length > 0 || pricing !== 'fixed'
                  ? words.doneFor(total)
                  : words.done
                : words.addFor(total)}
        </Button>
      </div>
    </div>
  );
}

/** What the field for the price or the weight begins with. */
function startOf({ pricing, price }: LiveItem, line: DraftLine | undefined): string {
  if (pricing === 'per_kg') return line?.measure ? formatWeight(line.measure) : '';
  const start = line?.unitPrice ?? price;
  return start === '0.00' ? '' : formatTyped(start);
}

const weightHint = (measure: string | null, perKilo: string): string => {
  const words = waiterMessages().order;
  return measure === null ? words.weightHint : `${weightText(measure)} × ${words.perKilo(perKilo)}`;
};

type RemarksFieldProps = {
  session: Pick<WaiterSession, 'menu' | 'bills'>;
  dish: { dishId: number; name: string };
  remarks: string;
  onChange: (remarks: string) => void;
};

/** Asks for a dish's remarks: usual ones with one tap, others typed. */
function RemarksField({ session: { menu, bills }, dish: { dishId, name }, remarks, onChange }: RemarksFieldProps) {
  const words = waiterMessages().order;
  const dishes = menu.dishes.value ?? [];
  const dish = dishes.find(({ id }) => id === dishId);
  const usual = dish ? usualRemarks(dish, { orders: bills.all.value, dishes }) : [];
  return (
    <div class="wrap gap-3 waiter-remarks">
      {usual.length > 0 && (
        <div class="wrap gap-3" role="group" aria-label={words.usualRemarks}>
          {usual.map((part) => (
            <Chip key={part} pressed={hasRemark(remarks, part)} onClick={() => onChange(toggleRemark(remarks, part))}>
              {part}
            </Chip>
          ))}
        </div>
      )}
      <Field label={words.remarks(name)} value={remarks} maxLength={500} onInput={onChange} />
    </div>
  );
}
