import type { Client, Live, LiveItem } from '@comanda/client';

/** Follows the menu, and never tells a part of it: until it was read, there may be nothing but the dish of one event. */
export function followWholeMenu(
  client: Pick<Client, 'liveMenu'>,
  onMenu: (dishes: readonly LiveItem[]) => void,
): Live<'item'> {
  const live = client.liveMenu({
    onChange: (dishes) => {
      if (live.isRead()) onMenu(dishes);
    },
  });
  return live;
}
