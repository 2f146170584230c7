import type { Bill } from './bills.ts';
import { events, type EventType } from './events.ts';

/** A group of users who receive the same events: `everyone`, `staff`, `user:5` or `seating:88`. */
export type Room = string;
export const userRoom = (userId: number): Room => `user:${userId}`;
export const seatingRoom = (seating: number): Room => `seating:${seating}`;

type Data = {
  bill: Bill;
  call: { seating: number };
  table: { seating: number | null };
  previous_seating: number | null;
  order: { placed_by: { id: number }; seating: number | null };
  /** The seating that an order was moved from. Only in events about a moved order. */
  from_seating?: number | null;
  /** The ids of the users whose last order on this bill was moved away. Only in events about a bill that lost orders. */
  from_user_ids?: readonly number[];
  /** The id of the seating. Only in events about a seating itself. */
  seating: number;
  user_id: number;
  party_ids: number[];
};

const roomsOfAudience: Record<(typeof events)[EventType]['audience'], (data: Data) => readonly Room[]> = {
  everyone: () => ['everyone'],
  staff: () => ['staff'],
  order: ({ order: { placed_by: placedBy, seating }, from_seating: fromSeating = null }) => [
    'staff',
    userRoom(placedBy.id),
    ...[seating, fromSeating].filter((each) => each !== null).map(seatingRoom),
  ],
  bill: ({ bill: { seating, lines, payments }, from_seating: fromSeating = null, from_user_ids: fromUsers = [] }) => [
    'staff',
    ...[seating, fromSeating].filter((each) => each !== null).map(seatingRoom),
    ...new Set(
      [
        ...lines.map((each) => each.ordered_by.id),
        ...payments.flatMap(({ payer }) => payer?.id ?? []),
        ...fromUsers,
      ].map(userRoom),
    ),
  ],
  call: ({ call: { seating } }) => ['staff', seatingRoom(seating)],
  table: ({ table: { seating }, previous_seating: previous }) => [
    'staff',
    ...[seating, previous].filter((each) => each !== null).map(seatingRoom),
  ],
  seating: ({ seating }) => ['staff', seatingRoom(seating)],
  user: ({ user_id: userId }) => [userRoom(userId)],
  parties: ({ party_ids: partyIds }) => partyIds.map(userRoom),
};

/**
 * Returns the rooms that an event is sent to, as its contract specifies; null for a type that this version doesn't know.
 * @throws TypeError if `data` does not fit the contract for `type`
 */
export const roomsOfEvent = (type: string, data: unknown): readonly Room[] | null =>
  Object.hasOwn(events, type) ? roomsOfAudience[events[type as EventType].audience](data as Data) : null;
