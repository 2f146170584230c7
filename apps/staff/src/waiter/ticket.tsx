import { defaultCurrency, maxQuantity } from '@comanda/contracts/rules';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { OptionLines } from '@comanda/ui/options/option-lines.tsx';
import { inOneLine } from '@comanda/ui/plain-text.ts';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { goTo } from '../address.ts';
import { AllergyWarning, contentsOf, DishAllergens } from './allergies.tsx';
import type { OpenDish } from './dish-sheet.tsx';
import { totalOf, type DraftLine } from './draft.ts';
import { troubleOf } from './line-trouble.ts';
import { waiterMessages } from './messages.ts';
import { placeOf, sendDraft } from './send-draft.ts';
import './ticket.css';
import type { WaiterSession } from './waiter-session.ts';
import { weightText } from './weight.ts';

type TicketProps = { session: WaiterSession; table: string; onOpen: OpenDish };

/** The order's dishes, remarks and allergies before it is sent. */
export function Ticket({ session, table, onOpen }: TicketProps) {
  const words = waiterMessages().order;
  const { draft } = session;
  const { lines, allergies } = draft.draft.value;
  const offer = session.offer.offer.value;
  const { isUnknown, isFree } = placeOf(session, table);
  if (lines.length === 0) return <p class="dim">{words.empty}</p>;
  return (
    <>
      {lines.map((line) => (
        <TicketLine key={line.id} line={line} session={session} onOpen={onOpen} />
      ))}
      <Field
        label={words.allergies}
        value={allergies}
        maxLength={200}
        rows={2}
        onInput={(text) => draft.setAllergies(inOneLine(text))}
      />
      <AllergyWarning contents={contentsOf(lines, offer)} allergies={allergies} />
      {isUnknown && (
        <p class="edge waiter-allergies" role="alert">
          <Icon name="warning" size={22} />
          <span>{words.unknownTable(table)}</span>
        </p>
      )}
      {isFree && <p class="dim">{words.opens}</p>}
      <Discard
        onDiscard={() => {
          draft.clear();
          goTo('#/waiter');
        }}
      />
    </>
  );
}

type TicketLineProps = Pick<TicketProps, 'session' | 'onOpen'> & { line: DraftLine };

/** A line of the order. A tap on its choices and remarks changes them. */
function TicketLine({ line, session, onOpen }: TicketLineProps) {
  const words = waiterMessages().order;
  const { draft, offer } = session;
  const { id, dishId, name, price, currency, quantity, remarks, options, measure } = line;
  const dish = offer.offer.value.dishes.get(dishId);
  const [contents] = contentsOf([line], offer.offer.value);
  const trouble = troubleOf(line, draft.draft.value.lines, offer.offer.value);
  const hasChoice = options.length > 0 || (dish?.option_group_ids ?? []).length > 0;
  return (
    <section class="waiter-panel waiter-ticket-line" aria-label={name}>
      <div>
        <h2>{name}</h2>
        <p>
          {measure !== null && `${weightText(measure)} · `}
          {formatMoney(price, currency)}
        </p>
      </div>
      <Stepper
        value={quantity}
        min={0}
        max={measure === null ? maxQuantity : 1}
        of={name}
        onChange={(next) => draft.setQuantity(id, next)}
      />
      <div class="waiter-ticket-choice">
        <OptionLines options={options} dishes={quantity} />
        <p class="waiter-dish-name">
          <DishAllergens contents={contents} allergies={draft.draft.value.allergies} shows="some" />
        </p>
      </div>
      {trouble !== null && (
        <p class="row gap-2 waiter-ticket-wrong" role="alert">
          <Icon name="warning" size={20} /> {trouble}
        </p>
      )}
      <Button
        kind="quiet"
        size="small"
        class="waiter-ticket-remarks"
        aria-label={[(hasChoice ? words.changeOf : words.remarks)(name), remarks].filter(Boolean).join(': ')}
        icon={<LateIcon name="pencil" size={20} />}
        onClick={() => onOpen({ dishId, lineId: id })}
      >
        {remarks !== '' ? <mark>{remarks}</mark> : hasChoice ? words.changeLine : words.remarksShort}
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
    <div class="stack gap-2 waiter-ticket-foot">
      <p>
        {billMessages().total} <strong>{formatMoney(totalOf(lines), lines[0]?.currency ?? defaultCurrency)}</strong>
      </p>
      <Button kind="primary" size="large" onClick={() => sendDraft(session, table)}>
        {words.send}
      </Button>
    </div>
  );
}

function Discard({ onDiscard }: { onDiscard: () => void }) {
  const words = waiterMessages().order;
  return (
    <AskInPlace
      opener={{ kind: 'quiet', size: 'small', class: 'waiter-discard', children: words.discard }}
      question={words.discardAsk}
      yes={words.discardYes}
      no={words.keep}
      kind="danger"
      onYes={onDiscard}
    />
  );
}
