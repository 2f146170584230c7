import { useComputed } from '@preact/signals';
import { classNames } from '@comanda/ui/class-names.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { ageOf, formatAge } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import type { BoardCard } from './card.ts';
import './ticket-head.css';
import { tableLetter } from './table-name.ts';

type HeadState = 'fresh' | 'amber' | 'late' | 'ready' | 'cancelled' | 'kept';
/** Returns the state that sets the header's colour. The card is rendered again only if the state changes, not every second. */
export function useHeadState(session: BoardSession, { ticket, look, limits }: BoardCard): HeadState {
  const age = useComputed(() => ageOf(ticket, session.now.value, limits));
  return look === 'cancelled' || look === 'kept' || look === 'ready' ? look : age.value;
}

type HeadProps = {
  session: BoardSession;
  card: BoardCard;
  from: number;
  position: number | null;
  isTurned: boolean;
  onTurn: (id: number | null) => void;
  state: HeadState;
};
/** An icon for each state, for people who can't distinguish the colours. */
const signs: Partial<Record<HeadState, IconName>> = { amber: 'clock', late: 'clock', ready: 'check' };

/** The ticket's header: its position, the table, the guest, and its age. */
export function TicketHead({ session, card, from, position, isTurned, onTurn, state }: HeadProps) {
  const words = messages().ticket;
  const { ticket, look } = card;
  const stateWords = { fresh: '', amber: '', late: words.late, ready: words.ready, cancelled: words.cancelled };
  const stateWord = state === 'kept' ? words.bumped : stateWords[state];
  const hasMore = from === 0 && look !== 'kept';
  const hasAge = look !== 'kept' && look !== 'cancelled';
  const sign = signs[state];
  const digit = position === null ? '' : position % 10;
  return (
    <header class={classNames('edge row ticket-head', from > 0 && 'ticket-head-rest')}>
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
      <span class="column ticket-facts">
        <span class="row ticket-who">
          {hasAge && (
            <span class="row gap-1 ticket-age-line">
              {sign && <Icon name={sign} size={22} />}
              <Age session={session} createdAtMs={ticket.createdAtMs} />
            </span>
          )}
          <span class="ticket-number">#{ticket.number}</span>
        </span>
        <span class="row ticket-state">
          {from > 0 ? <em>{words.continued}</em> : stateWord !== '' && <strong>{stateWord}</strong>}
          {look === 'new' && from === 0 && state !== 'late' && (
            <strong class="ticket-chip">
              {state === 'fresh' && !ticket.isMovedPart ? words.new : words.notStarted}
            </strong>
          )}
          {/* A guest without a name is called `Table 12` by the server, which would repeat the table's name. */}
          {from === 0 && ticket.guest !== `Table ${ticket.table}` && <span>{guestName(ticket.guest)}</span>}
        </span>
      </span>
    </header>
  );
}

const Age = ({ session, createdAtMs }: { session: BoardSession; createdAtMs: number }) => (
  <span class="ticket-age" role="timer" aria-live="off">
    {formatAge(session.now.value - createdAtMs)}
  </span>
);

const sizeOf = (table: string | null): 'short' | 'long' | 'longest' => {
  const { length } = table ?? '';
  if (length <= 3) return 'short';
  return length <= 6 ? 'long' : 'longest';
};

/** Shows a table in large type. In `T12`, the letter is lighter, so that the number is read first; a name has no letter. */
const TableName = ({ table }: { table: string | null }) => (
  <span
    class={classNames(
      'ticket-table',
      sizeOf(table) === 'long' && 'ticket-table-long',
      sizeOf(table) === 'longest' && 'ticket-table-longest',
    )}
  >
    {table === null ? (
      <small>{messages().ticket.noTable}</small>
    ) : (
      <>
        <span>{tableLetter(table)}</span>
        {table}
      </>
    )}
  </span>
);
