import { roomsOfEvent, seatingRoom, userRoom, type Room } from '@comanda/contracts/audience';
import { events, type CloudEvent } from '@comanda/contracts/events';
import type { Caller } from '@comanda/shared/http/token-verifier';

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

/**
 * The rooms that an event is sent to: those that travel with it, so that a type that is newer than this notifier is sent
 * too, or else those that its contract says. Null if nobody knows them, or if the event says that it is of another service
 * than its type.
 * @throws TypeError if the event does not fit its contract
 */
export function roomsOf({ type, source, audience, data }: CloudEvent): readonly Room[] | null {
  if (Object.hasOwn(events, type) && events[type].source !== source) return null;
  if (audience === undefined) return roomsOfEvent(type, data);
  return audience.split(' ').filter((room) => room !== '');
}
