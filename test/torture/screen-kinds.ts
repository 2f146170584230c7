import { seatingRoom, userRoom, type Room } from '@comanda/contracts/audience';
import type { Actors } from './clients.ts';
import type { ScreenKind } from './screens.ts';

/** Returns the kinds of screens to open: `count` for staff, and two each for every guest and customer. */
export function screenKinds({ managerScreen, customers, guests }: Actors, count: number): ScreenKind[] {
  const staff = { name: 'screen of the staff', user: managerScreen, count };
  const others = [
    ...customers.map((user, index) => ({ name: `screen of customer ${index + 1}`, user, count: 2 })),
    ...guests.map((user, index) => ({ name: `screen of the guest at table ${index + 1}`, user, count: 2 })),
  ];
  return [staff, ...others].map((kind) => ({ ...kind, rooms: roomsOf(kind.user.token()) }));
}

/** Returns the rooms whose events the user with this access token receives. */
function roomsOf(token: string): Room[] {
  const { sub, role, seating } = claimsOf(token) as { sub: string; role: string; seating?: number };
  if (role !== 'customer') return ['everyone', userRoom(Number(sub)), 'staff'];
  return ['everyone', userRoom(Number(sub)), ...(seating === undefined ? [] : [seatingRoom(seating)])];
}
const claimsOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
