import type { Room } from '@comanda/contracts/audience';

/**
 * An index of members by room. The cost of sending an event depends on the number of its receivers, not on how many connections
 * are open.
 */
export type RoomIndex<M> = {
  add: (member: M) => void;
  remove: (member: M) => void;
  /** Calls `visit` once for each member that is in any of these rooms. */
  forEachIn: (rooms: readonly Room[], visit: (member: M) => void) => void;
};

export function createRoomIndex<M extends { rooms: ReadonlySet<Room> }>(): RoomIndex<M> {
  const members = new Map<Room, Set<M>>();
  return {
    add: (member) => {
      for (const room of member.rooms) {
        const inRoom = members.get(room);
        if (inRoom) inRoom.add(member);
        else members.set(room, new Set([member]));
      }
    },
    remove: (member) => {
      for (const room of member.rooms) {
        const inRoom = members.get(room);
        inRoom?.delete(member);
        if (inRoom?.size === 0) members.delete(room);
      }
    },
    forEachIn: (rooms, visit) => {
      for (const [index, room] of rooms.entries()) {
        const earlier = rooms.slice(0, index);
        for (const member of members.get(room) ?? [])
          if (!earlier.some((each) => member.rooms.has(each))) visit(member);
      }
    },
  };
}
