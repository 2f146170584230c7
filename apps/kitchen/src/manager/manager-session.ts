import type { Client, FeedEvent, FeedStanding, LiveItem } from '@comanda/client';
import type { Ordering } from '@comanda/contracts/menu';
import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { feedStateOf } from '../parts/feed-state.ts';
import type { FeedState } from '../parts/feed-state.ts';
import type { DishDraft } from './dish-draft.ts';

/** A screen that was the first to show an order, since somebody listens on this device today. */
type HeardScreen = { device: string; count: number; lastAtMs: number };
type Heard = { sinceMs: number; screens: readonly HeardScreen[] };

const noticeForMs = 5_000;

export type ManagerSession = ReturnType<typeof openManagerSession>;

const isToday = (atMs: number, now: number): boolean => new Date(atMs).toDateString() === new Date(now).toDateString();

/** What the manager's pages share: the menu, whether orders are accepted, and what the feed tells. */
export function openManagerSession(client: Client) {
  const menu = signal<readonly LiveItem[] | null>(null);
  const menuFailure = signal<unknown>(null);
  const ordering = signal<Ordering | null>(null);
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** The server's time, once a second. */
  const now = signal(client.now());
  /** What was typed of each dish and not saved. */
  const drafts = signal<ReadonlyMap<string, Partial<DishDraft>>>(new Map());
  const heard = signal<Heard>(loadHeard());
  /** What was just saved, in words. */
  const notice = signal('');
  let hideNotice: ReturnType<typeof setTimeout> | undefined;

  const live = client.liveMenu({
    onChange: (all) => {
      if (all.length > 0 || live.isComplete()) menu.value = all;
    },
    onEvent,
    onStanding: (standing) => {
      if (standing.status === 'refused' && standing.reason === 'password_change_required') void client.signOut();
      setFeedState(standing);
    },
  });

  /** Events and answers overtake each other: the highest version counts. */
  function applyOrdering(next: Ordering): void {
    if (ordering.value === null || next.version >= ordering.value.version) ordering.value = next;
  }
  function onEvent({ type, data, time }: FeedEvent): void {
    if (type === 'ordering.changed') applyOrdering(data);
    if (type !== 'order.seen') return;
    const atMs = Date.parse(time);
    const { screens, ...rest } = isToday(heard.value.sinceMs, now.value)
      ? heard.value
      : { sinceMs: now.value, screens: [] };
    const count = (screens.find(({ device }) => device === data.device)?.count ?? 0) + 1;
    const others = screens.filter(({ device }) => device !== data.device);
    heard.value = { ...rest, screens: [{ device: data.device, count, lastAtMs: atMs }, ...others] };
    writeSetting('manager.screens', JSON.stringify(heard.value));
  }
  function loadHeard(): Heard {
    const none = { sinceMs: client.now(), screens: [] };
    try {
      const stored = JSON.parse(readSetting('manager.screens') ?? 'null') as Heard | null;
      return stored && isToday(stored.sinceMs, client.now()) ? stored : none;
    } catch {
      return none; // not written by this app
    }
  }
  function setFeedState(standing: FeedStanding): void {
    now.value = live.feed.now();
    feedState.value = feedStateOf(standing, { now: now.value, before: feedState.value });
  }
  const timer = setInterval(() => setFeedState(live.feed.standing()), 1_000);

  async function readOrdering(): Promise<void> {
    try {
      applyOrdering(await client.calls.getOrdering());
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // the page says that it is not known
    }
  }
  /** The live list repeats a read that failed without a word: the first one is made here too, for the words. */
  async function readMenu(): Promise<void> {
    menuFailure.value = null;
    try {
      const dishes = await client.calls.listMenu();
      menu.value ??= dishes;
    } catch (error) {
      if (menu.value === null) menuFailure.value = error;
    }
  }
  void readMenu();
  void readOrdering();

  return {
    menu,
    menuFailure,
    readMenu,
    ordering,
    applyOrdering,
    feedState,
    now,
    drafts,
    heard,
    notice,
    say: (text: string): void => {
      notice.value = text;
      clearTimeout(hideNotice);
      hideNotice = setTimeout(() => (notice.value = ''), noticeForMs);
    },
    /** Takes the answer to a change, before the feed brings it. */
    setDish: (dish: LiveItem): void => {
      menu.value = [...(menu.value ?? []).filter(({ id }) => id !== dish.id), dish];
    },
    removeDish: (dishId: number): void => {
      menu.value = (menu.value ?? []).filter(({ id }) => id !== dishId);
    },
    setDraft: (key: string, draft: Partial<DishDraft> | null): void => {
      const others = [...drafts.value].filter(([each]) => each !== key);
      drafts.value = new Map(draft ? [...others, [key, draft]] : others);
    },
    close: (): void => {
      clearInterval(timer);
      clearTimeout(hideNotice);
      live.close();
    },
  };
}
