import { allergenNames } from '@comanda/ui/allergens.ts';
import { useState } from 'preact/hooks';
import type { LiveItem } from '@comanda/client';
import { Button } from '@comanda/ui/button.tsx';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { EmptyPlateDrawing } from '@comanda/ui/drawings.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { IconButton } from '@comanda/ui/button.tsx';
import { messages } from '../messages.ts';
import { AvailabilityTag } from '../parts/availability-tag.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { AllergiesField } from '../parts/allergies-field.tsx';
import { ClashText } from '../parts/clash-text.tsx';
import { SeatNotice } from '../parts/notices.tsx';
import { announce } from '../state/announce.ts';
import { add, canAdd, count, countOf, maxQuantity, maxRemarks } from '../state/basket.ts';
import { dishById, isSoldOut, menu } from '../state/menu.ts';
import { backToMenu } from '../state/route.ts';
import { table } from '../state/seat.ts';
import './dish-page.css';

function Allergens({ dish }: { dish: LiveItem }) {
  const words = messages();
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

/** One dish in full, and how the guest wants it. */
export function DishPage({ id }: { id: number }) {
  const words = messages();
  const [quantity, setQuantity] = useState(1);
  const [remarks, setRemarks] = useState('');
  const dish = dishById.value.get(id);
  if (!dish)
    return (
      <div class="page">
        <header class="page-head">
          <BackLink />
        </header>
        <main class="page-main">
          {menu.value !== null && (
            <EmptyState drawing={<EmptyPlateDrawing />} title={words.notOnMenu} hint={words.notOnMenuHint} />
          )}
        </main>
      </div>
    );

  const isOut = isSoldOut(dish);
  const left = Math.min(dish.portions_left ?? maxQuantity, maxQuantity) - countOf(id);
  const addToBasket = (): void => {
    if (!canAdd(dish, quantity)) return announce(words.noMore(dish.name));
    add(dish, { quantity, remarks: remarks.trim() });
    announce(words.added(dish.name, count.value));
    backToMenu();
  };
  return (
    <div class="page dish-page">
      <div class="dish-hero">
        <DishPicture url={dish.image_url} tile={dish.position + 1} isFaded={isOut} loading="eager" />
        <IconButton label={words.backToMenu} onClick={backToMenu}>
          <Icon name="back" />
        </IconButton>
      </div>
      <div class="dish-sheet">
        <main class="page-main dish-main">
          <div class="dish-title">
            <h1 tabIndex={-1}>{dish.name}</h1>
            <p class="money">{formatMoney(dish.price, dish.currency)}</p>
          </div>
          {dish.description !== '' && <p class="dish-words">{dish.description}</p>}
          <AvailabilityTag dish={dish} />
          <Allergens dish={dish} />
          {table.value === null && <SeatNotice />}
          {table.value !== null && !isOut && (
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
        {table.value !== null && !isOut && (
          <footer class="dock dish-dock">
            <ClashText dish={dish} />
            <Stepper value={quantity} min={1} max={Math.max(1, left)} onChange={setQuantity} of={dish.name} />
            <Button kind="primary" size="large" aria-disabled={left < 1} onClick={addToBasket}>
              {words.add}
              <span class="spoken"> {dish.name}, </span>{' '}
              <span class="money">{formatMoney(fromMinor(toMinor(dish.price) * quantity), dish.currency)}</span>
            </Button>
          </footer>
        )}
      </div>
    </div>
  );
}
