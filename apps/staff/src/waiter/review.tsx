import type { LiveItem } from '@comanda/client/core';
import { defaultCurrency, maxQuantity } from '@comanda/contracts/rules';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { inOneLine } from '@comanda/ui/plain-text.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { goTo } from '../address.ts';
import { AllergyWarning, DishAllergens } from './allergies.tsx';
import { Ask } from './ask.tsx';
import { totalOf, type DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import './review.css';
import type { WaiterSession } from './waiter-session.ts';

/** The page that shows an order's dishes, remarks and allergies before it is sent. */
export function Review({ session, table }: { session: WaiterSession; table: string }) {
  const words = waiterMessages().order;
  const { lines } = session.draft.draft.value;
  const chosen = (session.menu.dishes.value ?? []).filter(({ id }) => lines.some(({ dishId }) => dishId === id));
  return (
    <>
      <a class="waiter-back" href={`#/waiter/order/${table}`}>
        <Icon name="back" /> {words.addMore}
      </a>
      <h1 class="waiter-title">{words.reviewTitle(table)}</h1>
      {lines.length === 0 && <p>{words.empty}</p>}
      {lines.map((line) => (
        <ReviewLine
          key={line.dishId}
          line={line}
          dish={chosen.find(({ id }) => id === line.dishId)}
          session={session}
        />
      ))}
      {lines.length > 0 && <Sending session={session} table={table} chosen={chosen} />}
    </>
  );
}

type ReviewLineProps = { line: DraftLine; dish: LiveItem | undefined; session: WaiterSession };

function ReviewLine({ line, dish, session: { draft } }: ReviewLineProps) {
  const { dishId, name, price, currency, quantity, remarks } = line;
  return (
    <section class="waiter-panel waiter-review-line" aria-label={name}>
      <div>
        <h2>{name}</h2>
        <p>{formatMoney(price, currency)}</p>
        {dish && (
          <p class="waiter-dish-name">
            <DishAllergens dish={dish} allergies={draft.draft.value.allergies} showsAll />
          </p>
        )}
        <div class="waiter-dish-stepper">
          <Stepper
            value={quantity}
            min={0}
            max={maxQuantity}
            of={name}
            onChange={(next) => draft.setQuantity(dishId, next)}
          />
        </div>
      </div>
      <Field
        label={waiterMessages().order.remarks(name)}
        value={remarks}
        maxLength={500}
        onInput={(next) => draft.setRemarks(dishId, next)}
      />
    </section>
  );
}

type SendingProps = { session: WaiterSession; table: string; chosen: readonly LiveItem[] };

/** The field for the guests' allergies, the total, and the button that sends the order. */
function Sending({ session, table, chosen }: SendingProps) {
  const words = waiterMessages().order;
  const { draft, unsentOrders, tables } = session;
  const { lines, allergies } = draft.draft.value;
  const known = tables.tables.value.find((each) => each.table === table);
  const seating = known?.seating ?? null;
  // A restaurant may work without a list of tables.
  const isUnknown = !known && tables.tables.value.length > 0;
  const send = (): void => {
    unsentOrders.add({ table, seating, lines, allergies });
    draft.clear();
    goTo(`#/waiter/tables/${table}`);
  };
  return (
    <>
      <Field
        label={words.allergies}
        value={allergies}
        maxLength={200}
        rows={2}
        onInput={(text) => draft.setAllergies(inOneLine(text))}
      />
      <AllergyWarning dishes={chosen} allergies={allergies} />
      <p class="waiter-review-total">
        {words.total} <strong>{formatMoney(totalOf(lines), lines[0]?.currency ?? defaultCurrency)}</strong>
      </p>
      {isUnknown && (
        <p class="waiter-allergies" role="alert">
          <Icon name="warning" size={22} />
          <span>{words.unknownTable(table)}</span>
        </p>
      )}
      {known && seating === null && <p class="waiter-dim">{words.opens}</p>}
      <Button kind="primary" size="large" onClick={send}>
        {words.send}
      </Button>
      <Discard
        onDiscard={() => {
          draft.clear();
          goTo('#/waiter');
        }}
      />
    </>
  );
}

function Discard({ onDiscard }: { onDiscard: () => void }) {
  const words = waiterMessages().order;
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button kind="quiet" size="small" onClick={() => setIsAsking(true)}>
        {words.discard}
      </Button>
    );
  return (
    <Ask question={words.discardAsk}>
      <div class="waiter-ask-buttons">
        <Button onClick={() => setIsAsking(false)}>{words.keep}</Button>
        <Button kind="danger" onClick={onDiscard}>
          {words.discardYes}
        </Button>
      </div>
    </Ask>
  );
}
