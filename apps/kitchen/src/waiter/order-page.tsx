import type { LiveItem } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatList, formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { goTo } from '../parts/go-to.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { AllergyWarning, namedAllergens, namesOf } from './allergies.tsx';
import { countOf, maxQuantity, totalOf } from './draft.ts';
import { tableChoiceLabel, waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

type Props = { session: WaiterSession; table: string | null; isReview: boolean };

/** An order for a table: the table, the dishes, the review. */
export function OrderPage({ session, table, isReview }: Props) {
  useEffect(() => void session.readMenu(), [session]);
  useEffect(() => {
    if (table !== null) session.draft.setTable(table);
  }, [session, table]);
  if (table === null) return <ChooseTable session={session} />;
  return isReview ? <Review session={session} table={table} /> : <ChooseDishes session={session} table={table} />;
}

function ChooseTable({ session }: { session: WaiterSession }) {
  const words = waiterMessages().order;
  return (
    <>
      <h1 class="waiter-title">{words.whichTable}</h1>
      <ul class="waiter-table-choice">
        {session.tables.value.map((each) => (
          <li key={each.table}>
            <a
              class={`button button-secondary button-medium ${session.isTaken(each) ? 'waiter-seated' : ''}`}
              aria-label={tableChoiceLabel(each.table, session.isTaken(each))}
              href={`#/waiter/order/${each.table}`}
            >
              <span class="button-text">
                {each.table} {session.isTaken(each) && <small>{waiterMessages().taken}</small>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function ChooseDishes({ session, table }: { session: WaiterSession; table: string }) {
  const words = waiterMessages().order;
  const [search, setSearch] = useState('');
  const { lines } = session.draft.draft.value;
  const menu = session.menu.value;
  const failure = session.menuFailure.value;
  const found = (menu ?? []).filter((dish) => matches(`${dish.name} ${dish.category ?? ''}`, search));
  const categories = [...Map.groupBy(found, ({ category }) => category ?? '')];
  return (
    <>
      <div class="waiter-order-head">
        <h1>{waiterMessages().table(table)}</h1>
        <a class="button button-secondary button-small" href="#/waiter/order">
          {words.change}
        </a>
      </div>
      <Field label={words.search} type="search" autocomplete="off" value={search} onInput={setSearch} />
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      {menu !== null && found.length === 0 && <p>{words.nothingFound}</p>}
      {categories.map(([category, dishes]) => (
        <section key={category} class="waiter-dishes" aria-label={category || words.title}>
          {category !== '' && <h2>{category}</h2>}
          <ul>
            {dishes.map((dish) => (
              <DishRow key={dish.id} dish={dish} session={session} />
            ))}
          </ul>
        </section>
      ))}
      {lines.length > 0 && (
        <a class="waiter-review-bar" href={`#/waiter/order/${table}/review`}>
          {words.review(countOf(lines), formatMoney(totalOf(lines), lines[0]?.currency ?? 'BRL'))}
          <Icon name="chevron" />
        </a>
      )}
    </>
  );
}

function DishRow({ dish, session }: { dish: LiveItem; session: WaiterSession }) {
  const words = waiterMessages().order;
  const { name, price, currency, portions_left: left } = dish;
  const quantity = session.draft.draft.value.lines.find(({ dishId }) => dishId === dish.id)?.quantity ?? 0;
  const isSoldOut = !dish.available || left === 0;
  const set = (next: number): void => session.draft.setQuantity(dish, next);
  return (
    <li class={`waiter-dish ${isSoldOut ? 'waiter-dish-off' : ''}`}>
      <span class="waiter-dish-name">
        {name}
        <small>
          {formatMoney(price, currency)}
          {isSoldOut ? ` · ${words.soldOut}` : left !== null && left <= 5 && ` · ${words.left(left)}`}
        </small>
        <Allergens dish={dish} allergies={session.draft.draft.value.allergies} />
      </span>
      {quantity > 0 ? (
        <div class="waiter-dish-stepper">
          <Stepper value={quantity} min={0} max={maxQuantity} of={name} onChange={set} />
        </div>
      ) : (
        !isSoldOut && (
          <IconButton label={words.add(name)} onClick={() => set(1)}>
            <Icon name="plus" />
          </IconButton>
        )
      )}
    </li>
  );
}

/** What the dish contains; what the guest must avoid of it stands out. */
function Allergens({ dish, allergies }: { dish: LiveItem; allergies: string }) {
  const words = waiterMessages().order;
  const text = dish.allergens.length === 0 ? words.unstated : words.contains(formatList(namesOf(dish.allergens)));
  return <small class={namedAllergens(dish, allergies).length > 0 ? 'waiter-dish-clash' : undefined}>{text}</small>;
}

function Review({ session, table }: { session: WaiterSession; table: string }) {
  const words = waiterMessages().order;
  const [isAsking, setIsAsking] = useState(false);
  const { lines, allergies } = session.draft.draft.value;
  const chosen = (session.menu.value ?? []).filter(({ id }) => lines.some(({ dishId }) => dishId === id));
  const seating = session.tables.value.find((each) => each.table === table)?.seating ?? null;
  const menuPage = `#/waiter/order/${table}`;
  const send = (): void => {
    if (lines.length === 0) return;
    session.outbox.add({ table, seating, lines, allergies });
    session.draft.clear();
    goTo(`#/waiter/tables/${table}`);
  };
  return (
    <>
      <a class="waiter-back" href={menuPage}>
        <Icon name="back" /> {words.addMore}
      </a>
      <h1 class="waiter-title">{words.reviewTitle(table)}</h1>
      {lines.length === 0 && <p>{words.empty}</p>}
      {lines.map(({ dishId, name, price, currency, quantity, remarks }) => (
        <section key={dishId} class="waiter-review-line" aria-label={name}>
          <div>
            <h2>{name}</h2>
            <p>{formatMoney(price, currency)}</p>
            {chosen
              .filter(({ id }) => id === dishId)
              .map((dish) => (
                <p key={dish.id} class="waiter-dish-name">
                  <Allergens dish={dish} allergies={allergies} />
                </p>
              ))}
            <div class="waiter-dish-stepper">
              <Stepper
                value={quantity}
                min={0}
                max={maxQuantity}
                of={name}
                onChange={(next) => session.draft.changeLine(dishId, next)}
              />
            </div>
          </div>
          <Field
            label={words.remarks(name)}
            value={remarks}
            maxLength={500}
            onInput={(next) => session.draft.setRemarks(dishId, next)}
          />
        </section>
      ))}
      {lines.length > 0 && (
        <>
          <Field label={words.allergies} value={allergies} maxLength={200} onInput={session.draft.setAllergies} />
          <AllergyWarning dishes={chosen} allergies={allergies} />
          <p class="waiter-review-total">
            {words.total} <strong>{formatMoney(totalOf(lines), lines[0]?.currency ?? 'BRL')}</strong>
          </p>
          {seating === null && <p class="waiter-dim">{words.opens}</p>}
          <Button kind="primary" size="large" onClick={send}>
            {words.send}
          </Button>
          {isAsking ? (
            <section class="waiter-ask" role="group" aria-label={words.discardAsk}>
              <h2>{words.discardAsk}</h2>
              <div class="waiter-ask-buttons">
                <Button onClick={() => setIsAsking(false)}>{words.keep}</Button>
                <Button
                  kind="danger"
                  onClick={() => {
                    session.draft.clear();
                    goTo('#/waiter');
                  }}
                >
                  {words.discardYes}
                </Button>
              </div>
            </section>
          ) : (
            <Button kind="quiet" size="small" onClick={() => setIsAsking(true)}>
              {words.discard}
            </Button>
          )}
        </>
      )}
    </>
  );
}
