import type { Client, FeedState } from '@comanda/client/core';
import { openClock } from '@comanda/ui/clock.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { openStops } from '@comanda/ui/open-stops.ts';
import { signal } from '@preact/signals';
import { followMenu } from '../menu/follow-menu.ts';
import { openConsent } from './consent/consent.ts';
import type { TypedDish } from './dishes/dish-draft.ts';
import { openRestaurant } from './restaurant.ts';
import { openPrinting } from './tables/printing.ts';
import { followOptions } from './options/follow-options.ts';
import { openSettings } from './settings/open-settings.ts';

const savedForMs = 5_000;

export type ManagerSession = ReturnType<typeof openManagerSession>;

/** The state that the managers' pages share, such as the menu, whether guests can order, and the PIN dialog. */
export function openManagerSession(client: Client) {
  const feedState = signal<FeedState>({ kind: 'connecting' });
  const now = openClock(client);
  /** The unsaved changes to each dish, by the key of its form. */
  const drafts = signal<ReadonlyMap<string, TypedDish>>(new Map());
  /** The rows of the CSV file that is being imported. */
  const menuFile = signal('');
  /** The name of the dish that was just saved. */
  const saved = signal('');
  /** Counts the feed's events about seen orders. When it changes, loaded orders are outdated. */
  const seenCount = signal(0);
  const ordering = openOrdering(client);
  const stops = openStops(client);
  const menu = followMenu(client);
  const options = followOptions(client);
  const restaurant = openRestaurant(client);
  const settings = openSettings(client);
  const printing = openPrinting(client, restaurant);
  const consent = openConsent(client);

  const feed = client.feed({
    onEvent: (event) => {
      if (event.type === 'order.seen') seenCount.value += 1;
    },
    onState: (state) => (feedState.value = state),
  });
  let hideSaved: ReturnType<typeof setTimeout> | undefined;
  menu.load();
  stops.load();

  return {
    feedState,
    now,
    menu,
    options,
    consent,
    ordering,
    stops,
    drafts,
    menuFile,
    setMenuFile: (rows: string): void => void (menuFile.value = rows),
    setDraft: (key: string, draft: TypedDish | null): void => {
      const others = [...drafts.value].filter(([each]) => each !== key);
      drafts.value = new Map(draft ? [...others, [key, draft]] : others);
    },
    saved,
    showSaved: (name: string): void => {
      saved.value = name;
      clearTimeout(hideSaved);
      hideSaved = setTimeout(() => (saved.value = ''), savedForMs);
    },
    restaurant,
    settings,
    printing,
    seenCount,
    close: (): void => {
      clearTimeout(hideSaved);
      feed.close();
      ordering.close();
      stops.close();
      consent.leave();
      restaurant.close();
      menu.close();
      options.close();
    },
  };
}
