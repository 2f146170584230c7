import { maxQuantity } from '@comanda/contracts/rules';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { useState } from 'preact/hooks';
import type { LiveItem } from '@comanda/client/core';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { AvailabilityTag } from '../menu/availability-tag.tsx';
import { BackLink } from '../back-link.tsx';
import { EmptyState } from '../empty-state.tsx';
import { AllergiesField } from './allergies-field.tsx';
import { ClashText } from './clash-text.tsx';
import { SeatNotice } from '../seat/seat-notice.tsx';
import { maxRemarks } from './basket.ts';
import { orderMessages } from './messages.ts';
import './dish-page.css';

function Allergens({ dish }: { dish: LiveItem }) {
  const words = orderMessages();
  return (
    <section class="dish-allergens">
      <h2>{dish.allergens.length > 0 ? words.containsTitle : words.unstated}</h2>
      {dish.allergens.length > 0 && (
        <ul>
          {dish.allergens.map((each) => (
            <li key={each}>{allergenNames()[each]}</li>
          ))}
        </ul>
      )}
      <p>{dish.allergens.length > 0 ? words.declared : words.unstatedHint}</p>
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

/** The quantity, and the button that adds the dish to the basket. */
function AddDock({ dish, remarks }: { dish: LiveItem; remarks: string }) {
  const words = orderMessages();
  const { announce, basket } = useGuest();
  const { backToMenu } = useRouter();
  const [chosen, setQuantity] = useState(1);
  const left = Math.min(dish.portions_left ?? maxQuantity, maxQuantity) - basket.countOf(dish.id);
  const quantity = Math.max(1, Math.min(chosen, left));
  const addToBasket = (): void => {
    basket.add(dish, { quantity, remarks: remarks.trim() });
    announce(words.added(dish.name, basket.count.value));
    backToMenu();
  };
  return (
    <footer class="dock dish-dock">
      <ClashText dish={dish} />
      <Stepper value={quantity} min={1} max={Math.max(1, left)} onChange={setQuantity} of={dish.name} />
      <Button
        kind="primary"
        size="large"
        aria-disabled={!basket.canAdd(dish, quantity)}
        onClick={addToBasket}
        onRefused={() => announce(words.noMore(dish.name))}
      >
        {words.add}
        <span class="spoken"> {dish.name}, </span>{' '}
        <span class="money" translate={false}>
          {formatMoney(fromMinor(toMinor(dish.price) * BigInt(quantity)), dish.currency)}
        </span>
      </Button>
    </footer>
  );
}

/** Shows a dish's details, with fields for remarks and the quantity. */
export function DishPage({ id }: { id: number }) {
  const words = orderMessages();
  const { menu, seat } = useGuest();
  const { backToMenu } = useRouter();
  const [remarks, setRemarks] = useState('');
  const dish = menu.dishById.value.get(id);
  if (!dish) return <UnknownDish />;
  const isOut = isSoldOut(dish);
  const mayOrder = seat.table.value !== null && !isOut;
  return (
    <div class="page dish-page">
      <div class="dish-hero">
        <DishPicture
          url={dish.image_url}
          tile={dish.position + 1}
          isFaded={isOut}
          loading="eager"
          sizes="(min-width: 900px) 620px, 100vw"
        />
        <IconButton label={words.backToMenu} onClick={backToMenu}>
          <Icon name="back" />
        </IconButton>
      </div>
      <div class="dish-sheet">
        <main class="page-main dish-main">
          <div class="dish-title">
            <h1 tabIndex={-1} lang={dish.lang}>
              {dish.name}
            </h1>
            <p class="money" translate={false}>
              {formatMoney(dish.price, dish.currency)}
            </p>
          </div>
          {dish.description !== '' && (
            <p class="dish-words" lang={dish.descriptionLang}>
              {dish.description}
            </p>
          )}
          <AvailabilityTag dish={dish} />
          <Allergens dish={dish} />
          {seat.table.value === null && <SeatNotice />}
          {mayOrder && (
            <>
              <Field
                label={words.remarks}
                value={remarks}
                onInput={setRemarks}
                maxLength={maxRemarks}
                rows={2}
                placeholder={words.remarksExample}
              />
              <AllergiesField />
            </>
          )}
        </main>
        {mayOrder && <AddDock dish={dish} remarks={remarks} />}
      </div>
    </div>
  );
}
