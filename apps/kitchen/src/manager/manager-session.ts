import { CallFailure, type Client, type FeedState } from '@comanda/client';
import type { Ordering } from '@comanda/contracts/menu';
import { openStops } from '@comanda/ui/open-stops.ts';
import { signal } from '@preact/signals';
import type { ConsentGate } from '../consent-gate.ts';
import { followMenu } from '../menu/follow-menu.ts';
import { openConsent } from './consent.ts';
import type { DishDraft } from './dish-draft.ts';
import { openHouse } from './house.ts';
import { openPrinting } from './printing.ts';

const savedForMs = 5_000;

export type ManagerSession = ReturnType<typeof openManagerSession>;

/** What the manager's pages share: the menu, whether orders are accepted, the PIN, and what the feed tells. */
export function openManagerSession(client: Client, gate: ConsentGate) {
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** The server's time, once a second. */
  const now = signal(client.now());
  const ordering = signal<Ordering | null>(null);
  /** What was typed of each dish and not saved. */
  const drafts = signal<ReadonlyMap<string, Partial<DishDraft>>>(new Map());
  /** What was just saved, in words. */
  const saved = signal('');
  /** How many reports of screens were heard: what was read of orders is older. */
  const seenCount = signal(0);
  const stops = openStops(client);
  const menu = followMenu(client);
  const house = openHouse(client);
  const printing = openPrinting(house.name);
  const consent = openConsent(client);
  const closeGate = gate.open(consent.ask);

  /** Events and answers overtake each other: the highest version counts. */
  function applyOrdering(next: Ordering): void {
    if (ordering.value === null || next.version >= ordering.value.version) ordering.value = next;
  }
  async function readOrdering(): Promise<void> {
    try {
      applyOrdering(await client.calls.getOrdering());
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the page says that it is not known
    }
  }
  const feed = client.feed({
    onEvent: (event) => {
      if (event.type === 'ordering.changed') applyOrdering(event.data);
      if (event.type === 'order.seen') seenCount.value += 1;
    },
    onStanding: ({ status }) => {
      if (status !== 'gap') return;
      ordering.value = null; // what is read next may be older: a database was restored
      void readOrdering();
    },
    onState: (state) => (feedState.value = state),
  });
  const timer = setInterval(() => (now.value = client.now()), 1_000);
  let hideSaved: ReturnType<typeof setTimeout> | undefined;
  void menu.read();
  void readOrdering();
  void stops.read();

  return {
    feedState,
    now,
    menu,
    consent,
    ordering,
    applyOrdering,
    stops,
    drafts,
    setDraft: (key: string, draft: Partial<DishDraft> | null): void => {
      const others = [...drafts.value].filter(([each]) => each !== key);
      drafts.value = new Map(draft ? [...others, [key, draft]] : others);
    },
    saved,
    showSaved: (text: string): void => {
      saved.value = text;
      clearTimeout(hideSaved);
      hideSaved = setTimeout(() => (saved.value = ''), savedForMs);
    },
    house,
    printing,
    seenCount,
    close: (): void => {
      clearTimeout(hideSaved);
      clearInterval(timer);
      feed.close();
      stops.close();
      closeGate();
      consent.close();
      menu.close();
    },
  };
}
