import { useEffect, useMemo } from 'preact/hooks';
import { formatTime, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { onDeviceLater } from '../on-device-later.ts';
import type { BoardCard } from './card.ts';
import type { BoardSession } from './board-session.ts';
import { cancellationText } from './card-texts.ts';
import './printout.css';
import { kitchenName } from '../bumps/ticket.ts';
import { stationName } from '../shift/station-name.ts';
import { optionLines } from './option-lines.ts';
import { tableName } from './table-name.ts';

const maxRemembered = 1_500;
/** Returns the ids of dishes that this device has printed before. Reprints are marked, so that nobody cooks a dish twice. */
const readPrinted = (): ReadonlySet<number> =>
  new Set(onDeviceLater.printed.get().split(',').filter(Boolean).map(Number));
function rememberPrinted(cards: readonly BoardCard[]): void {
  const ids = cards.flatMap(({ ticket }) => ticket.items.map(({ id }) => id));
  onDeviceLater.printed.write([...new Set([...readPrinted(), ...ids])].slice(-maxRemembered).join());
}
type Known = { printed: ReadonlySet<number>; cards: readonly BoardCard[] };
/** Returns true if a dish of the ticket was printed before, even on a ticket from which it has moved, in several steps too. */
function isReprint({ ticket }: BoardCard, { printed, cards }: Known): boolean {
  const items = new Map(cards.flatMap((card) => card.ticket.items.map((item) => [item.id, item])));
  // Ids grow, so an item is never a part of itself.
  const wasPrinted = (id: number): boolean => {
    const from = items.get(id)?.split_from ?? 0;
    return printed.has(id) || printed.has(from) || (from > 0 && from < id && wasPrinted(from));
  };
  return ticket.items.some(({ id }) => wasPrinted(id));
}

/** Renders the printed page: one ticket on an 80 mm roll, or all tickets on sheets. It never appears on the screen. */
export function Printout({ session }: { session: BoardSession }) {
  const { printout } = session;
  const current = printout.value;
  const printed = useMemo(readPrinted, [current]);
  useEffect(() => {
    if (!current) return undefined;
    const done = (): void => {
      printout.value = null;
    };
    addEventListener('afterprint', done, { once: true });
    rememberPrinted(current.cards);
    window.print();
    return () => removeEventListener('afterprint', done);
  }, [current, printout]);
  if (!current) return null;
  const { kind, cards } = current;
  return (
    <section class={`printout printout-${kind}`} aria-hidden="true">
      {kind === 'board' && (
        <h1>
          {drawerMessages().board.printTitle(cards.length)} <time>{formatTimeWithSeconds(session.now.peek())}</time>
        </h1>
      )}
      {cards.map((card) => (
        <PrintedTicket
          key={card.ticket.id}
          card={card}
          isReprint={isReprint(card, { printed, cards: session.board.cards.peek() })}
        />
      ))}
    </section>
  );
}

function PrintedTicket({ card, isReprint: isAgain }: { card: BoardCard; isReprint: boolean }) {
  const words = messages().ticket;
  const { ticket, look } = card;
  return (
    <article class="printed">
      {isAgain && <strong class="printed-mark">{drawerMessages().board.reprint}</strong>}
      {look === 'cancelled' && <strong class="printed-mark">{words.cancelled}</strong>}
      <h2>
        {tableName(ticket.table)} <span>#{ticket.number}</span>
      </h2>
      <p>
        <bdi>{guestName(ticket.guest)}</bdi>, {formatTime(ticket.createdAtMs)}
      </p>
      {look === 'cancelled' && <p>{cancellationText(card)}</p>}
      {ticket.remake !== null && (
        <p class="printed-allergies">
          {words.remake}: <bdi>{ticket.remake}</bdi>
        </p>
      )}
      {ticket.allergies !== null && (
        <p class="printed-allergies">
          {words.allergy}: <bdi>{ticket.allergies}</bdi>
        </p>
      )}
      <ul>
        {ticket.items.map((item) => (
          <li key={item.id} class={item.status === 'cancelled' ? 'printed-off' : undefined}>
            <b>{item.quantity}</b>
            <span>
              <bdi>{kitchenName(item)}</bdi>{' '}
              {item.status !== 'received' && <small>({words.status[item.status]})</small>}
              {optionLines(item, ticket).map(({ key, depth, text, station }) => (
                <span key={key} class="printed-option" style={{ '--depth': String(depth) }}>
                  {station === undefined ? text : `(${text}, ${stationName(station)})`}
                </span>
              ))}
              {item.remarks.trim() !== '' && <em>{item.remarks}</em>}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}
