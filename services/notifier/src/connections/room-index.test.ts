import { expect, test } from '@jest/globals';
import { createRoomIndex } from './room-index.ts';

const member = (name: string, ...rooms: string[]) => ({ name, rooms: new Set(rooms) });
const ana = member('ana', 'everyone', 'user:5', 'seating:88');
const bob = member('bob', 'everyone', 'user:6', 'seating:88');
const waiter = member('waiter', 'everyone', 'user:2', 'staff');
const all = [ana, bob, waiter];

function visited(rooms: readonly string[], members = all): string[] {
  const index = createRoomIndex<typeof ana>();
  for (const each of all) index.add(each);
  for (const each of all) if (!members.includes(each)) index.remove(each);
  const names: string[] = [];
  index.forEachIn(rooms, ({ name }) => names.push(name));
  return names.toSorted();
}

test.each([
  [['everyone'], ['ana', 'bob', 'waiter']],
  [
    ['staff', 'user:5', 'seating:88'],
    ['ana', 'bob', 'waiter'],
  ],
  [
    ['user:5', 'seating:88'],
    ['ana', 'bob'],
  ],
  [['user:2', 'user:2'], ['waiter']],
  [['user:7'], []],
  [[], []],
])('an event for %j goes to each of %j once and to no other member', (rooms, names) => {
  expect(visited(rooms)).toEqual(names);
});

test('members that have left a room no longer get its events', () => {
  expect(visited(['everyone', 'seating:88'], [bob])).toEqual(['bob']);
});

test('an event for one seating is compared only with members of that seating, even with ten thousand guests', () => {
  let looks = 0;
  const index = createRoomIndex<{ rooms: ReadonlySet<string> }>();
  for (let id = 0; id < 10_000; id++) {
    const rooms = new Set(['everyone', `user:${id}`, `seating:${Math.floor(id / 4)}`]);
    const has = rooms.has.bind(rooms);
    index.add({ rooms: Object.assign(rooms, { has: (room: string) => ++looks > 0 && has(room) }) });
  }
  let visits = 0;

  index.forEachIn(['staff', 'user:9', 'seating:2'], () => visits++);

  expect(visits).toBe(4);
  expect(looks).toBeLessThan(20);
});
