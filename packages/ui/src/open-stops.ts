import type { Client } from '@comanda/client';
import type { Stops } from '@comanda/contracts/stops';
import { followVersioned, type Followed } from './follow-versioned.ts';

/** What the restaurant has stopped. Nothing is stopped until it was read: the server refuses all the same. */
export type FollowedStops = Followed<Stops>;

export const openStops = (client: Pick<Client, 'calls' | 'feed'>): FollowedStops =>
  followVersioned(client, {
    notRead: { transfers: null, sign_ups: null, version: 0 },
    call: () => client.calls.getStops(),
    takenFrom: (event) => (event.type === 'stops.changed' ? event.data : null),
  });
