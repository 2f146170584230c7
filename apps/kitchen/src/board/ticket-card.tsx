import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatTime, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { Board, BoardCard, Change } from '../model/board.ts';
import { ageOf, defaultAgeLimits, formatAge } from '../model/ticket.ts';
import type { OrderItem, Ticket } from '../model/ticket.ts';
import './ticket-card.css';

type Props = {
  board: Board;
  card: BoardCard;
  from: number;
  to: number;
  /** 1 to 10: the key that chooses it; null beyond. */
  position: number | null;
  isChosen: boolean;
  now: number;
};

/** One ticket, or the part of it that this column shows. */
export function TicketCard({ board, card, from, to, position, isChosen, now }: Props) {
  const words = messages().ticket;
  const { ticket, look, changes } = card;
  const age =
    look === 'cancelled' || look === 'kept' ? look : look === 'ready' ? 'ready' : ageOf(ticket, now, defaultAgeLimits);
  const isLast = to === ticket.items.length;
  return (
    <article
      class={classNames('ticket', `ticket-${age}`, isChosen && 'ticket-chosen', look === 'new' && 'ticket-new')}
      aria-label={words.label(ticket.table, ticket.number)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <Header {...{ card, age, position, now }} isContinued={from > 0} />
      {from === 0 && ticket.allergies !== null && look !== 'kept' && <Allergies board={board} card={card} />}
      {from === 0 && changes.length > 0 && look !== 'cancelled' && <Changes {...{ board, ticket, changes }} />}
      <ul class="ticket-items">
        {ticket.items.slice(from, to).map((item) => (
          <Item key={item.id} {...{ board, ticket, item }} isStill={look === 'cancelled' || look === 'kept'} />
        ))}
      </ul>
      {isLast ? <Foot {...{ board, card, isChosen }} /> : <p class="ticket-goes-on">{words.goesOn}</p>}
    </article>
  );
}

type HeaderProps = {
  card: BoardCard;
  age: string;
  position: number | null;
  now: number;
  isContinued: boolean;
};
function Header({ card: { ticket, look }, age, position, now, isContinued }: HeaderProps) {
  const words = messages().ticket;
  const state =
    look === 'cancelled'
      ? words.cancelled
      : look === 'kept'
        ? words.bumped
        : look === 'ready'
          ? words.ready
          : age === 'late'
            ? words.late
            : '';
  return (
    <header class="ticket-head">
      <span class="ticket-position" aria-hidden="true">
        {position === null ? '' : position % 10}
      </span>
      <span class="ticket-table">
        {ticket.table === null ? (
          <small>{words.noTable}</small>
        ) : (
          <>
            <small>{words.tableLetter}</small>
            {ticket.table}
          </>
        )}
      </span>
      <span class="ticket-who">
        {state !== '' && <strong>{state}</strong>}
        {look === 'new' && age !== 'late' && <strong class="ticket-chip">{words.new}</strong>}
        <span>
          #{ticket.number} {isContinued ? words.continued : ticket.guest}
        </span>
      </span>
      {look !== 'cancelled' && look !== 'kept' && (
        <span class="ticket-age" role="timer" aria-live="off">
          {formatAge(now - ticket.createdAtMs)}
        </span>
      )}
    </header>
  );
}

function Allergies({ board, card }: { board: Board; card: BoardCard }) {
  const words = messages().ticket;
  const { ticket, allergiesReadAtMs: readAt } = card;
  return (
    <button
      type="button"
      class={classNames('ticket-allergies', readAt !== null && 'ticket-allergies-read')}
      onClick={() => board.readAllergies(ticket.id)}
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

function Changes({ board, ticket, changes }: { board: Board; ticket: Ticket; changes: readonly Change[] }) {
  const words = messages().ticket;
  const texts = changes.map((change) =>
    change.kind === 'table' ? words.wasTable(change.from) : words.itemsOff(change.count),
  );
  return (
    <button type="button" class="ticket-changes" onClick={() => board.readChanges(ticket.id)}>
      <strong>{words.changed}</strong>
      <span>{texts.join('; ')}</span>
    </button>
  );
}

type ItemProps = { board: Board; ticket: Ticket; item: OrderItem; isStill: boolean };
function Item({ board, ticket, item, isStill }: ItemProps) {
  const words = messages().ticket;
  const isOff = item.status === 'cancelled';
  const isDone = item.status === 'ready' || item.status === 'delivered';
  return (
    <li class={classNames('ticket-item', `ticket-item-${item.status}`)}>
      <button
        type="button"
        disabled={isOff || isStill || item.status === 'delivered'}
        aria-label={words.item(item.quantity, item.name, words.status[item.status])}
        aria-description={item.remarks === '' ? undefined : item.remarks}
        onClick={() => board.bumpItem(ticket.id, item.id)}
      >
        <span class="ticket-gutter">
          {item.status === 'preparing' && <Icon name="flame" size={20} />}
          {isDone && <Icon name="check" size={20} />}
        </span>
        <span class={classNames('ticket-quantity', item.quantity > 1 && 'ticket-quantity-many')}>{item.quantity}</span>
        <span class="ticket-dish">
          <span>{item.name}</span>
          {item.remarks.trim() !== '' && <mark>{item.remarks}</mark>}
        </span>
        {isOff && <strong class="ticket-off">{words.off}</strong>}
      </button>
      {item.status !== 'received' && !isOff && !isStill && (
        <button
          type="button"
          class="ticket-back"
          aria-label={words.back(item.name)}
          onClick={() => board.stepItemBack(ticket.id, item.id)}
        >
          <Icon name="undo" size={20} />
        </button>
      )}
    </li>
  );
}

function Foot({ board, card, isChosen }: { board: Board; card: BoardCard; isChosen: boolean }) {
  const words = messages().ticket;
  const { ticket, look, waiting } = card;
  if (look === 'kept' && waiting)
    return (
      <div class="ticket-kept">
        <Icon name="check" />
        <span>
          <strong>{words.kept}</strong>
          <small>{formatTimeWithSeconds(waiting.atMs)}</small>
        </span>
        <button type="button" onClick={() => board.undo(waiting)}>
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
        onClick={() => board.clearCancelled(ticket.id)}
      >
        {words.clear}
      </button>
    );
  return (
    <button
      type="button"
      class="ticket-bump"
      aria-label={words.bumpLabel(ticket.number)}
      onClick={() => board.bumpTicket(ticket.id)}
    >
      {look === 'ready' && <Icon name="check" />}
      {words.bump}
      {isChosen && <kbd>Enter</kbd>}
    </button>
  );
}
