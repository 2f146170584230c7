import { Icon } from '@comanda/ui/icon.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { messages } from '../messages.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import './ticket-foot.css';

type Props = { session: BoardSession; card: BoardCard; isChosen: boolean };
/** The buttons for the whole ticket: Bump, also Undo while a bump is unsent; or Clear if the ticket is cancelled. */
export function TicketFoot({ session: { board }, card, isChosen }: Props) {
  const words = messages().ticket;
  const { ticket, look, waiting } = card;
  if (look === 'cancelled')
    return (
      <button
        type="button"
        class="row wrap ticket-bump ticket-clear"
        aria-label={`${isChosen ? `${words.clear} (Enter), ` : ''}${words.clearLabel(ticket.number)}`}
        onClick={() => board.readChanges(ticket.id)}
      >
        {words.clear} {isChosen && <kbd>Enter</kbd>}
      </button>
    );
  const next = words.bumpTo[card.next ?? ''];
  // The bump also finishes dishes that nobody has started.
  const isFinishing = look === 'cooking' && card.next === 'ready';
  const unstarted = isFinishing ? ticket.items.filter(({ status }) => status === 'received').length : 0;
  const bump = next !== undefined && (
    <button
      type="button"
      class="row wrap ticket-bump"
      aria-label={words.bumpLabel(
        [next, unstarted > 0 && `(${words.unstarted(unstarted)})`, isChosen && '(Enter)'].filter(Boolean).join(' '),
        ticket.number,
      )}
      onClick={() => board.bumpTicket(ticket.id)}
    >
      {look === 'ready' && <Icon name="check" />}
      <span>{next}</span> {unstarted > 0 && <small>({words.unstarted(unstarted)})</small>}
      {isChosen && <kbd>Enter</kbd>}
    </button>
  );
  if (!waiting) return bump || <p class="row wrap ticket-bump ticket-bump-none">{words.notReady}</p>;
  // The footer keeps its height, so that nothing moves. A second tap in its middle hits no button.
  return (
    <div class="on-ink row gap-2 ticket-foot-kept">
      <button
        type="button"
        class="ticket-undo"
        aria-label={words.undoLabel(ticket.number)}
        onClick={() => board.undo(waiting)}
      >
        {messages().board.undo}
      </button>
      <span>
        <strong>{words.kept}</strong>
        <small>{formatTimeWithSeconds(waiting.atMs)}</small>
      </span>
      {bump}
    </div>
  );
}

/** Shown above the footer of a ticket that is higher than a column. */
export const Scrolled = () => <p class="edge ticket-scrolled">{messages().ticket.scrolled}</p>;

/** Shown below the part of a ticket that continues in the next column. */
export const GoesOn = () => <p class="edge ticket-goes-on">{messages().ticket.goesOn}</p>;
