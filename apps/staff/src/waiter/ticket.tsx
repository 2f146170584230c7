import type { LiveItem } from '@comanda/client/core';
import { defaultCurrency, maxQuantity } from '@comanda/contracts/rules';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { inOneLine } from '@comanda/ui/plain-text.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { goTo } from '../address.ts';
import { AllergyWarning, DishAllergens } from './allergies.tsx';
import { Ask } from './ask.tsx';
import { totalOf, type DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { draftDishes, placeOf, sendDraft } from './send-draft.ts';
import './ticket.css';
import type { WaiterSession } from './waiter-session.ts';

type TicketProps = { session: WaiterSession; table: string; onRemarks: (dishId: number) => void };

/** The order's dishes, remarks and allergies before it is sent. */
export function Ticket({ session, table, onRemarks }: TicketProps) {
  const words = waiterMessages().order;
  const { draft } = session;
  const { lines, allergies } = draft.draft.value;
  const dishes = draftDishes(session);
  const { isUnknown, isFree } = placeOf(session, table);
  if (lines.length === 0) return <p class="waiter-dim">{words.empty}</p>;
  return (
    <>
      {lines.map((line) => (
        <TicketLine
          key={line.dishId}
          line={line}
          dish={dishes.find(({ id }) => id === line.dishId)}
          session={session}
          onRemarks={onRemarks}
        />
      ))}
      <Field
        label={words.allergies}
        value={allergies}
        maxLength={200}
        rows={2}
        onInput={(text) => draft.setAllergies(inOneLine(text))}
      />
      <AllergyWarning dishes={dishes} allergies={allergies} />
      {isUnknown && (
        <p class="waiter-allergies" role="alert">
          <Icon name="warning" size={22} />
          <span>{words.unknownTable(table)}</span>
        </p>
      )}
      {isFree && <p class="waiter-dim">{words.opens}</p>}
      <Discard
        onDiscard={() => {
          draft.clear();
          goTo('#/waiter');
        }}
      />
    </>
  );
}

type TicketLineProps = Pick<TicketProps, 'session' | 'onRemarks'> & { line: DraftLine; dish: LiveItem | undefined };

function TicketLine({ line, dish, session: { draft }, onRemarks }: TicketLineProps) {
  const words = waiterMessages().order;
  const { dishId, name, price, currency, quantity, remarks } = line;
  return (
    <section class="waiter-panel waiter-ticket-line" aria-label={name}>
      <div>
        <h2>{name}</h2>
        <p>{formatMoney(price, currency)}</p>
        {dish && (
          <p class="waiter-dish-name">
            <DishAllergens dish={dish} allergies={draft.draft.value.allergies} showsAll />
          </p>
        )}
      </div>
      <Stepper
        value={quantity}
        min={0}
        max={maxQuantity}
        of={name}
        onChange={(next) => draft.setQuantity(dishId, next)}
      />
      <Button
        kind="quiet"
        size="small"
        class="waiter-ticket-remarks"
        aria-label={words.remarks(name)}
        icon={<LateIcon name="pencil" size={20} />}
        onClick={() => onRemarks(dishId)}
      >
        {remarks === '' ? words.remarksShort : <mark>{remarks}</mark>}
      </Button>
    </section>
  );
}

/** The total, and the button that sends the order. */
export function TicketFoot({ session, table }: Pick<TicketProps, 'session' | 'table'>) {
  const words = waiterMessages().order;
  const { lines } = session.draft.draft.value;
  if (lines.length === 0) return null;
  return (
    <div class="waiter-ticket-foot">
      <p>
        {words.total} <strong>{formatMoney(totalOf(lines), lines[0]?.currency ?? defaultCurrency)}</strong>
      </p>
      <Button kind="primary" size="large" onClick={() => sendDraft(session, table)}>
        {words.send}
      </Button>
    </div>
  );
}

function Discard({ onDiscard }: { onDiscard: () => void }) {
  const words = waiterMessages().order;
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking)
    return (
      <Button kind="quiet" size="small" class="waiter-discard" onClick={() => setIsAsking(true)}>
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
