import { formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { isolated } from '@comanda/ui/isolated.ts';
import { messages } from '../messages.ts';
import type { Messages } from '../messages/en.ts';
import type { BoardCard, Change } from './card.ts';
import type { Bump } from '../bumps/bump.ts';

/** Returns a text such as `Moved from table 8; 1 dish removed`. */
export const changesText = (words: Messages['ticket'], changes: readonly Change[]): string =>
  changes
    .map((change) => (change.kind === 'table' ? words.wasTable(change.from) : words.itemsOff(change.count)))
    .join('; ');

/** Returns a text such as `2 Feijoada started` or `Ticket 12 ready`. */
export function bumpText({ dishes = [], isTicket, moves, ticket }: Bump): string {
  const words = messages().made;
  const to = moves[0]?.to ?? '';
  if (!isTicket) return words.text(dishes.join(), words.is[to] ?? '');
  return words.text(words.ticket(ticket), words.is[to === 'ready' ? 'ticketReady' : to] ?? '');
}

/** Returns a text such as `By Ana 20:46: guests left`; empty if it isn't known who cancelled. */
export function cancellationText({ cancellation }: BoardCard): string {
  if (!cancellation) return '';
  const { role, name, at, reason } = cancellation;
  const who = messages().ticket.cancelledBy(guestName(name ?? messages().roles[role]), formatTime(at));
  return reason === undefined ? who : `${who}: ${isolated(reason)}`;
}
