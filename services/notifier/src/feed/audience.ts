import { events, type EventType } from '@comanda/contracts/events';
import type { Caller } from '@comanda/shared/http/token-verifier';

type Room = string;
const userRoom = (userId: number): Room => `user:${userId}`;
const seatingRoom = (seating: number): Room => `seating:${seating}`;

export const isStaff = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'customer';

/** The rooms of a caller: staff hear all orders, guests those of their seating, and each user their own. */
export const roomsOfCaller = (caller: Caller): readonly Room[] => [
  'everyone',
  userRoom(caller.userId),
  ...(isStaff(caller) ? ['staff'] : []),
  ...(!isStaff(caller) && caller.seating !== undefined ? [seatingRoom(caller.seating)] : []),
];

/** Whether two tokens of a user open the same events to the user. */
export const isSameAudience = (before: Caller, after: Caller): boolean =>
  roomsOfCaller(before).join(' ') === roomsOfCaller(after).join(' ');

type Audience = (typeof events)[EventType]['audience'];
type Data = {
  order: { placed_by: { id: number }; seating: number | null };
  /** Only of an order that has moved: the seating that it leaves. */
  from_seating?: number | null;
  user_id: number;
  party_ids: number[];
};

const roomsOfAudience: Record<Audience, (data: Data) => readonly Room[]> = {
  everyone: () => ['everyone'],
  order: ({ order: { placed_by: placedBy, seating }, from_seating: fromSeating = null }) => [
    'staff',
    userRoom(placedBy.id),
    ...[seating, fromSeating].filter((each) => each !== null).map(seatingRoom),
  ],
  user: ({ user_id: userId }) => [userRoom(userId)],
  parties: ({ party_ids: partyIds }) => partyIds.map(userRoom),
};

/**
 * The rooms that an event is sent to, as its contract says; null for a type that this version does not know.
 * @throws TypeError if `data` does not fit the contract of `type`
 */
export const roomsOfEvent = (type: string, data: unknown): readonly Room[] | null =>
  Object.hasOwn(events, type) ? roomsOfAudience[events[type as EventType].audience](data as Data) : null;
