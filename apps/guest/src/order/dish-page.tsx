import { maxQuantity } from '@comanda/contracts/rules';
import { allergenNames } from '@comanda/ui/allergens.ts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { LiveItem } from '@comanda/client/core';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/empty-plate-drawing.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Offer } from '@comanda/ui/options/choice.ts';
import { ChooseOptions } from '@comanda/ui/options/choose-options.tsx';
import { optionName } from '@comanda/ui/options/option-name.ts';
import { useOptionsChoice, type OptionsChoice } from '@comanda/ui/options/use-options-choice.ts';
import { readFailureWords } from '@comanda/ui/read-failure-words.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { ignorePresses } from '@comanda/ui/use-settled.ts';
import { Money } from '@comanda/ui/money.tsx';
import { useGuest, useOrderSession, useRouter } from '../contexts.ts';
import { CallButton } from '../call/call-button.tsx';
import type { GuestDish } from '../in-guest-language.ts';
import { AvailabilityTag } from '../menu/availability-tag.tsx';
import { DishPrice } from '../menu/dish-price.tsx';
import { hasOptions, isForGuests } from '../menu/menu.ts';
import { BackLink } from '../back-link.tsx';
import { EmptyState } from '../empty-state.tsx';
import { AllergiesField } from './allergies-field.tsx';
import { ClashText } from './clash-text.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { maxRemarks, type Line } from './basket.ts';
import { orderMessages } from './messages.ts';
import './dish-page.css';

function Allergens({ dish }: { dish: LiveItem }) {
  const words = orderMessages();
  const isStated = dish.allergens.length > 0 || dish.allergens_stated === true;
  const declared = hasOptions(dish) ? words.declaredWithout : words.declared;
  return (
    <section class="edge stack gap-3 dish-allergens">
      <h2>{dish.allergens.length > 0 ? words.containsTitle : isStated ? words.containsNone : words.unstated}</h2>
      {dish.allergens.length > 0 && (
        <ul>
          {dish.allergens.map((each) => (
            <li key={each}>{allergenNames()[each]}</li>
          ))}
        </ul>
      )}
      <p>{isStated ? declared : words.unstatedHint}</p>
    </section>
  );
}

function UnknownDish() {
  const words = orderMessages();
  return (
    <div class="page">
      <header class="page-head">
        <BackLink />
      </header>
      <main class="page-main">
        {useGuest().menu.dishes.value !== null && (
          <EmptyState drawing={<EmptyPlateDrawing />} title={words.notOnMenu} hint={words.notOnMenuHint} />
        )}
      </main>
    </div>
  );
}

/** Says how guests order a dish that is weighed, or that has no fixed price. */
function OrderedWithStaff({ dish }: { dish: LiveItem }) {
  const words = orderMessages();
  return (
    <section class="edge stack gap-3 dish-allergens dish-with-staff">
      <h2>{words.withStaff}</h2>
      <p>{dish.pricing === 'per_kg' ? words.withStaffPerKg : words.withStaffOpen}</p>
      <CallButton />
    </section>
  );
}

/** Says that the dish's options are being loaded, or why they can't be. */
function OptionsMissing() {
  const words = orderMessages();
  const { failure, load } = useOrderSession().options;
  if (failure.value === null) return <p role="status">{words.loadingOptions}</p>;
  return (
    <ErrorPanel words={{ ...readFailureWords(failure.value), happened: words.optionsFailed }}>
      <Button onClick={load}>{words.tryAgain}</Button>
    </ErrorPanel>
  );
}

type FormProps = {
  dish: GuestDish;
  /** The dish's options; null until they are known. */ offer: Offer | null;
  /** The basket's line to change; null to add the dish. */ line: Line | null;
  remarks: string;
  onRemarks: (remarks: string) => void;
  /** The dish's description, above the form. */ children: ComponentChildren;
};
const noOffer: Offer = { groups: new Map(), dishes: new Map() };

/** The form for the options, remarks and quantity of a dish, with the button that adds it to the basket. */
function DishForm({ dish, offer, line, remarks, onRemarks, children }: FormProps) {
  const words = orderMessages();
  const { basket, menu, seat } = useGuest();
  const choice = useOptionsChoice({ dish, offer: offer ?? noOffer, earlier: line?.options });
  const mayOrder = seat.table.value !== null && !menu.isOut(dish) && isForGuests(dish);
  return (
    <div class="column dish-sheet">
      <main class="stack gap-4 page-main dish-main">
        {children}
        {offer && (
          <ChooseOptions
            choice={choice}
            currency={dish.currency}
            avoided={basket.uneatable.value}
            menuLanguage={menu.menuLanguage.value}
            isListed={!isForGuests(dish)}
          />
        )}
        {!offer && hasOptions(dish) && <OptionsMissing />}
        {!isForGuests(dish) && <OrderedWithStaff dish={dish} />}
        <Allergens dish={dish} />
        {seat.table.value === null && <SeatNotice />}
        {mayOrder && (
          <>
            <Field
              label={words.remarks}
              value={remarks}
              onInput={onRemarks}
              maxLength={maxRemarks}
              rows={2}
              placeholder={words.remarksExample}
            />
            <AllergiesField />
          </>
        )}
      </main>
      {mayOrder && (offer || !hasOptions(dish)) && (
        <AddDock dish={dish} line={line} remarks={remarks} choice={choice} />
      )}
    </div>
  );
}

type AddDockProps = Pick<FormProps, 'dish' | 'line' | 'remarks'> & { choice: OptionsChoice };

/** The quantity, and the button that adds the dish to the basket or changes the basket's line. */
function AddDock({ dish, line, remarks, choice }: AddDockProps) {
  const words = orderMessages();
  const { announce, basket, menu } = useGuest();
  const { backToMenu, goBack } = useRouter();
  const [chosen, setQuantity] = useState(line?.quantity ?? 1);
  const before = line?.quantity ?? 0;
  const left = Math.min(dish.portions_left ?? maxQuantity, maxQuantity) - basket.countOf(dish.id) + before;
  const quantity = Math.max(1, Math.min(chosen, left));
  const { wrong, options, unitPrice } = choice;
  function save(): void {
    if (wrong) return choice.showWrong();
    ignorePresses();
    const content = {
      quantity,
      remarks: remarks.trim(),
      ...(hasOptions(dish) && { options, seenPrice: unitPrice }),
    };
    if (line) {
      basket.replace(line, dish, content);
      announce(words.changed(dish.name));
      return goBack({ page: 'review' });
    }
    basket.add(dish, content);
    announce(words.added(dish.name, basket.count.value));
    return backToMenu();
  }
  return (
    <footer class="dock dish-dock">
      <ClashText dish={dish} options={options} />
      <Stepper value={quantity} min={1} max={Math.max(1, left)} onChange={setQuantity} of={dish.name} />
      <Button
        kind="primary"
        size="large"
        aria-disabled={line ? quantity > left : !basket.canAdd(dish, quantity)}
        onClick={save}
        onRefused={() => announce(words.noMore(dish.name))}
      >
        {wrong ? (
          words.choose(optionName(wrong, menu.menuLanguage.value).text)
        ) : (
          <>
            {line ? words.save : words.add}
            <span class="visually-hidden"> {dish.name}, </span>{' '}
            <Money>{formatMoney(fromMinor(toMinor(unitPrice) * BigInt(quantity)), dish.currency)}</Money>
          </>
        )}
      </Button>
    </footer>
  );
}

type DishPageProps = { id: number; /** The id of the basket's line to change. */ line?: number | undefined };

/** Shows a dish's details, with a form for its options, remarks and quantity. */
export function DishPage({ id, line: lineId }: DishPageProps) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const { options } = useOrderSession();
  const { backToMenu, goBack } = useRouter();
  const [line] = useState(() => basket.lines.value.find((each) => each.id === lineId && each.dishId === id) ?? null);
  const [remarks, setRemarks] = useState(line?.remarks ?? '');
  const dish = menu.dishById.value.get(id);
  if (!dish) return <UnknownDish />;
  const isOut = menu.isOut(dish);
  const offer = hasOptions(dish) ? options.offerFor(dish) : null;
  return (
    <div class="page dish-page">
      <div class={classNames('dish-hero', hasOptions(dish) && 'dish-hero-low')}>
        <DishPicture
          url={dish.image_url}
          tile={dish.position + 1}
          isFaded={isOut}
          loading="eager"
          sizes="(min-width: 900px) 620px, 100vw"
        />
        <IconButton
          label={line ? words.backToOrder : words.backToMenu}
          onClick={line ? () => goBack({ page: 'review' }) : backToMenu}
        >
          <Icon name="back" />
        </IconButton>
      </div>
      <DishForm
        // The options that were chosen before are compared with those on the menu once these are known.
        key={offer === null}
        dish={dish}
        offer={offer}
        line={line}
        remarks={remarks}
        onRemarks={setRemarks}
      >
        <div class="wrap dish-title">
          <h1 tabIndex={-1} lang={dish.lang}>
            {dish.name}
          </h1>
          <p>
            <DishPrice dish={dish} />
          </p>
        </div>
        {dish.description !== '' && (
          <p class="dish-words" lang={dish.descriptionLang}>
            {dish.description}
          </p>
        )}
        <AvailabilityTag dish={dish} />
      </DishForm>
    </div>
  );
}
