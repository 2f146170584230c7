import { onDeviceLater } from '../on-device-later.ts';

const maxRecent = 6;

/** Opens the list of the dishes that this user has ordered last on this device, the latest first. */
export function openRecentDishes(userId: number) {
  const { signal: ids, write } = onDeviceLater.recentDishes(userId);
  return {
    ids,
    add: (ordered: readonly number[]): void =>
      write([...ordered, ...ids.peek().filter((id) => !ordered.includes(id))].slice(0, maxRecent)),
  };
}
