import { roomsOfEvent, seatingRoom, userRoom, type Room } from '@comanda/contracts/audience';
import { events, type CloudEvent } from '@comanda/contracts/events';
import type { Caller } from '@comanda/shared/http/token-verifier';

export const isStaff = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'customer';

/** The rooms of a caller: staff receive all orders, guests those of their seating, and each user their own. */
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
 * The rooms that may receive an event. They are part of the event, so that types newer than this notifier are sent too; otherwise
 * the contract decides. Null if neither says them, or if the event claims to come from another service than its type.
 * @throws TypeError if the event does not fit its contract
 */
export function roomsOf({ type, source, audience, data }: CloudEvent): readonly Room[] | null {
  if (Object.hasOwn(events, type) && events[type].source !== source) return null;
  if (audience === undefined) return roomsOfEvent(type, data);
  return audience.split(' ').filter((room) => room !== '');
}
