import { useComputed } from '@preact/signals';
import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatTime, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { BoardCard } from '../model/board.ts';
import { ageOf, defaultAgeLimits, formatAge, nextStatus } from '../model/ticket.ts';
import type { OrderItem } from '../model/ticket.ts';
import type { BoardSession } from './board-session.ts';
import { cancellationText, changesText } from './card-texts.ts';
import { TicketBack } from './ticket-back.tsx';
import { TableName } from './table-name.tsx';
import './ticket-card.css';

export type CardProps = {
  session: BoardSession;
  card: BoardCard;
  from: number;
  to: number;
  /** 1 to 10: the key that chooses it; null beyond, and for the rest of a ticket that goes on in the next column. */
  position: number | null;
  isChosen: boolean;
  /** Whether its back is shown: what can be done with it beside cooking. */
  isTurned: boolean;
  onTurn: (id: number | null) => void;
};

/** One ticket, or the part of it that this column shows. */
export function TicketCard(props: CardProps) {
  const { session, card, from, to, isChosen, isTurned, onTurn } = props;
  const words = messages().ticket;
  const { ticket, look, changes } = card;
  const state = useHeaderState(props);
  const isLast = to === ticket.items.length;
  const isNew = look === 'new' && session.untouched.value.has(ticket.id);
  const isStill = look === 'cancelled' || look === 'kept';
  return (
    <article
      class={classNames('ticket', `ticket-${state}`, isChosen && 'ticket-chosen', isNew && 'ticket-flash')}
      aria-label={words.label(ticket.table, ticket.number)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <Header {...props} state={state} />
      {from === 0 && ticket.allergies !== null && look !== 'kept' && <Allergies {...{ session, card }} />}
      {isTurned && from === 0 ? (
        <TicketBack {...{ session, card }} onClose={() => onTurn(null)} />
      ) : (
        <>
          {from === 0 && look === 'cancelled' && cancellationText(card) !== '' && (
            <p class="ticket-reason">{cancellationText(card)}</p>
          )}
          {from === 0 && changes.length > 0 && !isStill && (
            <button type="button" class="ticket-changes" onClick={() => session.board.readChanges(ticket.id)}>
              <strong>{words.changed}</strong>
              <span>{changesText(words, changes)}</span>
            </button>
          )}
          <ul class="ticket-items">
            {ticket.items.slice(from, to).map((item) => (
              <Item key={item.id} {...{ session, item }} orderId={ticket.id} isStill={isStill} />
            ))}
          </ul>
          {isLast ? <Foot {...{ session, card, isChosen }} /> : <p class="ticket-goes-on">{words.goesOn}</p>}
        </>
      )}
    </article>
  );
}

type HeaderState = 'fresh' | 'amber' | 'late' | 'ready' | 'cancelled' | 'kept';
/** What colours the header. The clock makes no card paint again, unless that changes. */
function useHeaderState({ session, card: { ticket, look } }: CardProps): HeaderState {
  const age = useComputed(() => ageOf(ticket, session.now.value, defaultAgeLimits));
  return look === 'cancelled' || look === 'kept' || look === 'ready' ? look : age.value;
}

function Header({ session, card, from, position, isTurned, onTurn, state }: CardProps & { state: HeaderState }) {
  const words = messages().ticket;
  const { ticket, look } = card;
  const stateWords = { fresh: '', amber: '', late: words.late, ready: words.ready, cancelled: words.cancelled };
  const stateWord = state === 'kept' ? words.bumped : stateWords[state];
  const hasMore = from === 0 && look !== 'kept';
  const hasAge = hasMore && look !== 'cancelled';
  const digit = position === null ? '' : position % 10;
  return (
    <header class="ticket-head">
      {hasMore ? (
        <button
          type="button"
          class="ticket-position"
          aria-label={`${digit} ${words.more(ticket.number)}`.trim()}
          aria-expanded={isTurned}
          onClick={() => onTurn(isTurned ? null : ticket.id)}
        >
          <span>{digit}</span>
          <i aria-hidden="true" />
        </button>
      ) : (
        <span class="ticket-position" aria-hidden="true">
          {digit}
        </span>
      )}
      <TableName table={ticket.table} />
      <span class="ticket-who">
        <span>#{ticket.number}</span>
        {/* A guest who gave no name has the table's, in English. */}
        {ticket.guest !== `Table ${ticket.table}` && <span>{ticket.guest}</span>}
      </span>
      <span class="ticket-state">
        {hasAge && <Age session={session} createdAtMs={ticket.createdAtMs} />}
        {from > 0 ? words.continued : stateWord !== '' && <strong>{stateWord}</strong>}
        {look === 'new' && state !== 'late' && from === 0 && <strong class="ticket-chip">{words.new}</strong>}
      </span>
    </header>
  );
}

const Age = ({ session, createdAtMs }: { session: BoardSession; createdAtMs: number }) => (
  <span class="ticket-age" role="timer" aria-live="off">
    {formatAge(session.now.value - createdAtMs)}
  </span>
);

type PartProps = { session: BoardSession; card: BoardCard };

function Allergies({ session, card }: PartProps) {
  const words = messages().ticket;
  const { ticket, allergiesReadAtMs: readAt } = card;
  return (
    <button
      type="button"
      class={classNames('ticket-allergies', readAt !== null && 'ticket-allergies-read')}
      onClick={() => session.board.readAllergies(ticket.id)}
    >
      <Icon name="warning" size={34} />
      <span>
        <small>
          {words.allergy}
          <em>{readAt === null ? words.allergyTap : words.allergyRead(formatTime(readAt))}</em>
        </small>
        <strong>{ticket.allergies}</strong>
      </span>
    </button>
  );
}

type ItemProps = { session: BoardSession; orderId: number; item: OrderItem; isStill: boolean };
function Item({ session, orderId, item, isStill }: ItemProps) {
  const words = messages().ticket;
  const isOff = item.status === 'cancelled';
  const isDone = item.status === 'ready' || item.status === 'delivered';
  return (
    <li class={classNames('ticket-item', `ticket-item-${item.status}`)}>
      <span class="ticket-gutter">
        {item.status === 'preparing' && <Icon name="flame" size={20} />}
        {isDone && <Icon name="check" size={20} />}
      </span>
      <button
        type="button"
        disabled={isOff || isStill || item.status === 'delivered'}
        aria-label={words.item(item.quantity, item.name, words.status[item.status])}
        aria-description={item.remarks === '' ? undefined : item.remarks}
        onClick={() => session.board.bumpItem(orderId, item.id)}
      >
        <span class={classNames('ticket-quantity', item.quantity > 1 && 'ticket-quantity-many')}>{item.quantity}</span>{' '}
        <span class="ticket-dish">{item.name}</span>
      </button>
      {/* Beside the button, whose name it is not. */}
      {item.remarks.trim() !== '' && <mark>{item.remarks}</mark>}
      {isOff && !isStill && <strong class="ticket-off">{words.off}</strong>}
    </li>
  );
}

function Foot({ session: { board }, card, isChosen }: PartProps & { isChosen: boolean }) {
  const words = messages().ticket;
  const { ticket, look, waiting } = card;
  if (look === 'kept' && waiting)
    return (
      <div class="ticket-foot-kept">
        <Icon name="check" />
        <span>
          <strong>{words.kept}</strong>
          <small>{formatTimeWithSeconds(waiting.atMs)}</small>
        </span>
        <button type="button" aria-label={words.undoLabel(ticket.number)} onClick={() => board.undo(waiting)}>
          {messages().board.undo}
        </button>
      </div>
    );
  if (look === 'cancelled')
    return (
      <button
        type="button"
        class="ticket-bump ticket-clear"
        aria-label={words.clearLabel(ticket.number)}
        onClick={() => board.readChanges(ticket.id)}
      >
        {words.clear}
        {isChosen && <kbd data-key="Enter" />}
      </button>
    );
  const next = words.bumpTo[nextStatus(ticket.status) ?? ''];
  return (
    <button
      type="button"
      class="ticket-bump"
      aria-label={words.bumpLabel(ticket.number)}
      aria-description={next}
      onClick={() => board.bumpTicket(ticket.id)}
    >
      {look === 'ready' && <Icon name="check" />}
      <span>
        {words.bump}
        <small data-next={next} />
      </span>
      {isChosen && <kbd data-key="Enter" />}
    </button>
  );
}
