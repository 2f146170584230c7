import { Icon } from '@comanda/ui/icon.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import { cancellationText, changesText } from './card-texts.ts';
import { TicketBack } from './ticket-back.tsx';
import './ticket-card.css';
import { GoesOn, TicketFoot } from './ticket-foot.tsx';
import { TicketHead, useHeadState } from './ticket-head.tsx';
import { TicketItem } from './ticket-items.tsx';

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
  const state = useHeadState(session, card);
  const isLast = to === ticket.items.length;
  const isNew = look === 'new' && session.untouched.value.has(ticket.id);
  const isStill = look === 'cancelled' || look === 'kept';
  return (
    <article
      class={classNames('ticket', `ticket-${state}`, isChosen && 'ticket-chosen', isNew && 'ticket-flash')}
      aria-label={words.label(ticket.table, ticket.number)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <TicketHead {...props} state={state} />
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
              <TicketItem key={item.id} {...{ session, item }} orderId={ticket.id} isStill={isStill} />
            ))}
          </ul>
          {isLast ? <TicketFoot {...{ session, card, isChosen }} /> : <GoesOn />}
        </>
      )}
    </article>
  );
}

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
