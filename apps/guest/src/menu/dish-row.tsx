import { allergenNames } from '@comanda/ui/allergens.ts';
import type { LiveItem } from '@comanda/client/core';
import { classNames } from '@comanda/ui/class-names.ts';
import { DishPicture } from '@comanda/ui/dish-picture.tsx';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useGuest, useRouter } from '../contexts.ts';
import type { GuestDish } from '../in-guest-language.ts';
import { messages } from '../messages.ts';
import { hrefOf } from '../router.ts';
import { AvailabilityTag } from './availability-tag.tsx';
import { DishPrice } from './dish-price.tsx';
import './dish-row.css';
import { areStated, hasOptions, isForGuests } from './menu.ts';

/** How long the button to remove one is shown after a tap, in milliseconds. */
const lessForMs = 4_000;

/** Adds the dish to the basket. For a moment after a tap, one can also be removed here. */
function AddButton({ dish }: { dish: LiveItem }) {
  const words = messages();
  const { announce, basket, options } = useGuest();
  const { navigate } = useRouter();
  /** The number of taps since the button to remove one appeared; 0 while it is hidden. */
  const [taps, setTaps] = useState(0);
  const less = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (taps === 0) return undefined;
    // It stays while a keyboard user is on it.
    const hide = (): void => setTaps(less.current?.matches(':focus-visible') ? taps + 1 : 0);
    const timer = setTimeout(hide, lessForMs);
    return () => clearTimeout(timer);
  }, [taps]);
  const chosen = basket.countOf(dish.id);
  const mayAdd = basket.canAdd(dish, 1);
  function addOne(): void {
    if (!mayAdd) return announce(words.noMore(dish.name));
    if (hasOptions(dish)) {
      const defaults = options.value?.defaultsOf(dish);
      if (!defaults) return navigate({ page: 'dish', id: dish.id });
      basket.add(dish, { quantity: 1, remarks: '', ...defaults });
    } else basket.add(dish, { quantity: 1, remarks: '' });
    announce(words.added(dish.name, basket.count.value));
    setTaps(taps + 1);
  }
  function removeOne(): void {
    basket.takeOne(dish);
    setTaps(taps + 1);
  }
  return (
    <div class={classNames('row dish-add-box', taps > 0 && 'dish-add-open')}>
      {taps > 0 && (
        <>
          <button
            ref={less}
            type="button"
            class="centre dish-add"
            aria-label={words.less(dish.name)}
            aria-disabled={chosen === 0}
            onClick={removeOne}
          >
            <Icon name="minus" />
          </button>
          <span aria-hidden="true">{chosen}</span>
        </>
      )}
      <button
        type="button"
        class={classNames('centre dish-add', chosen > 0 && 'dish-add-chosen')}
        aria-label={words.addDish(dish.name) + (chosen > 0 ? `, ${words.inBasket(chosen)}` : '')}
        aria-disabled={!mayAdd}
        onClick={addOne}
      >
        {chosen > 0 && taps === 0 ? chosen : <Icon name="plus" />}
      </button>
    </div>
  );
}

type DishRowProps = { dish: GuestDish; tile: number; /** True if the dish is in view immediately. */ isFirst: boolean };

/** One dish on the menu: a row on a phone, a card on wider screens. */
export function DishRow({ dish, tile, isFirst }: DishRowProps) {
  const words = messages();
  const { basket, menu, seat } = useGuest();
  const isOut = menu.isOut(dish);
  const id = `dish-${dish.id}`;
  return (
    <article class={classNames('wrap dish', isOut && 'dish-out')} aria-labelledby={id}>
      <div class="stack dish-text">
        <h3 id={id}>
          <a lang={dish.lang} href={hrefOf({ page: 'dish', id: dish.id })}>
            {dish.name}
          </a>
        </h3>
        {dish.description !== '' && (
          <p class="dish-description" lang={dish.descriptionLang}>
            {dish.description}
          </p>
        )}
        {dish.allergens.length > 0 && (
          <p>{words.contains(formatList(dish.allergens.map((each) => allergenNames()[each])))}</p>
        )}
        {basket.isUnstated(dish) ? (
          <p>
            <span class="on-amber-soft tag tag-few">{words.unstated}</span>
          </p>
        ) : (
          !areStated(dish) && <p>{words.unstated}</p>
        )}
        <p class="row wrap dish-price">
          <DishPrice dish={dish} /> <AvailabilityTag dish={dish} />
        </p>
      </div>
      <div class="dish-side">
        <div class="dish-image">
          <DishPicture
            url={dish.image_url}
            tile={tile}
            isFaded={isOut}
            loading={isFirst ? 'eager' : 'lazy'}
            sizes="(min-width: 768px) 360px, 96px"
          />
        </div>
        {!isOut && isForGuests(dish) && seat.table.value !== null && <AddButton dish={dish} />}
      </div>
    </article>
  );
}
