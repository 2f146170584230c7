import type { Client } from '@comanda/client';
import type { Stops } from '@comanda/contracts/stops';
import { followVersioned, type Followed } from './follow-versioned.ts';

/**
 * Follows the restaurant's stops. Before the first fetch, nothing counts as stopped, but the server still rejects stopped calls.
 */
export type FollowedStops = Followed<Stops>;

export const openStops = (client: Pick<Client, 'calls' | 'feed'>): FollowedStops =>
  followVersioned(client, {
    notRead: { transfers: null, sign_ups: null, version: 0 },
    call: () => client.calls.getStops(),
    takenFrom: (event) => (event.type === 'stops.changed' ? event.data : null),
  });
