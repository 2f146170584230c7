import { roomsOfEvent, seatingRoom, userRoom, type Room } from '@comanda/contracts/audience';
import { events } from '@comanda/contracts/events';
import type { CloudEvent } from '@comanda/contracts/event-data';
import type { Caller } from '@comanda/shared/http/token-verifier';

export const isStaff = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'customer';

/** Returns a caller's rooms. Staff receive all orders, guests those of their seating, and each user their own. */
export const roomsOfCaller = (caller: Caller): readonly Room[] => [
  'everyone',
  userRoom(caller.userId),
  ...(isStaff(caller) ? ['staff'] : []),
  ...(!isStaff(caller) && caller.seating !== undefined ? [seatingRoom(caller.seating)] : []),
];

/** Returns true if both tokens of a user allow the same events. */
export const isSameAudience = (before: Caller, after: Caller): boolean =>
  roomsOfCaller(before).join(' ') === roomsOfCaller(after).join(' ');

/**
 * Returns the rooms that may receive an event. The event itself lists them, so that this notifier can also send types that are
 * newer than itself. Without a list, the contract decides. Returns null if there is neither, or if the event's source isn't the
 * service that its type belongs to.
 * @throws TypeError if the event doesn't match its contract
 */
export function roomsOf({ type, source, audience, data }: CloudEvent): readonly Room[] | null {
  if (Object.hasOwn(events, type) && events[type].source !== source) return null;
  if (audience === undefined) return roomsOfEvent(type, data);
  return audience.split(' ').filter((room) => room !== '');
}
