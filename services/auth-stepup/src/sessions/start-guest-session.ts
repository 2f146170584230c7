import type { TokenPair } from '@comanda/contracts/sessions';
import type { Origin } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';
import { findScannedSeat, type FindScannedSeatDeps } from './find-scanned-seat.ts';
import { guestSessionMs } from './session.ts';

export type StartGuestSessionDeps = BeginSessionDeps & FindScannedSeatDeps & { guests: Pick<GuestStore, 'insert'> };

/**
 * Starts a session for a new guest who has scanned a table's QR code.
 * @throws 401 `table_token_invalid`, 403 `seating_not_open`, 429 `rate_limited`
 */
export async function startGuestSession(
  deps: StartGuestSessionDeps,
  { table_token: token, name }: { table_token: string; name?: string },
  { origin, traceparent }: { origin: Origin; traceparent: string },
): Promise<TokenPair> {
  const { guests, clock } = deps;
  const seat = await findScannedSeat(deps, { token, traceparent });

  const now = clock();
  const guest = await guests.insert({
    // The name is never empty. Release 1.0.0, which runs alongside this release during an upgrade, rejects a token without a name
    // (401) and stores no order without a name. The table's name alone would look like a person's name on screens. Screens
    // translate this form into the user's language (`guestName`).
    name: name ?? `Table ${seat.table}`,
    createdAt: now,
    sessionEndsAt: now + guestSessionMs,
  });
  return beginSession(deps, { user: guest, seat }, origin);
}
