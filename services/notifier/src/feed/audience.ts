import { events } from '@comanda/contracts/events';
import type { EventType } from '@comanda/contracts/events';
import type { Caller } from '@comanda/shared/http/token-verifier';

type Room = string;
const userRoom = (userId: number): Room => `user:${userId}`;
const seatingRoom = (seating: number): Room => `seating:${seating}`;

export const isStaff = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'customer';

/** What a caller listens to, besides `everyone`: staff to all orders, a guest to those of the seating, each to their own. */
export const roomsOf = (caller: Caller): readonly Room[] => [
  'everyone',
  userRoom(caller.userId),
  ...(isStaff(caller) ? ['staff'] : []),
  ...(!isStaff(caller) && caller.seating !== undefined ? [seatingRoom(caller.seating)] : []),
];

/** Whether two tokens of a user open the same events to them. */
export const isSameAudience = (one: Caller, other: Caller): boolean =>
  roomsOf(one).join(' ') === roomsOf(other).join(' ');

type Audience = (typeof events)[EventType]['audience'];
type Data = { order: { placed_by: { id: number }; seating: number | null }; user_id: number; party_ids: number[] };

const hearers: Record<Audience, (data: Data) => readonly Room[]> = {
  everyone: () => ['everyone'],
  order: ({ order: { placed_by: placedBy, seating } }) => [
    'staff',
    userRoom(placedBy.id),
    ...(seating === null ? [] : [seatingRoom(seating)]),
  ],
  user: ({ user_id: userId }) => [userRoom(userId)],
  parties: ({ party_ids: partyIds }) => partyIds.map(userRoom),
};

/**
 * Who hears an event, as its contract says; null, nobody, for a type that this version does not know.
 * @throws TypeError where `data` is not what the contract of `type` has
 */
export const hearersOf = (type: string, data: unknown): readonly Room[] | null =>
  Object.hasOwn(events, type) ? hearers[events[type as EventType].audience](data as Data) : null;
