import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderInEvent, OrderStatus } from '@comanda/contracts/orders';
import { allowedTransitions } from './allowed-transitions.ts';
import { CallFailure } from './failure.ts';
import type { Feed, FeedEvent, FeedHandlers, FeedStanding } from './feed.ts';
import { createFold } from './fold.ts';
import type { Pages } from './pages.ts';
import { jittered, wait } from './random.ts';
import type { Who } from './session.ts';
import type { CallsByName } from './typing.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Kinds = { order: LiveOrder; item: LiveItem };
export type LiveHandlers<K extends keyof Kinds> = {
  /** Called with all of them whenever one has changed. */
  onChange: (all: readonly Kinds[K][]) => void;
  onStanding?: (viewerRole: FeedStanding) => void;
  /** Every event of the feed, e.g. to make a sound. */
  onEvent?: (event: FeedEvent) => void;
  /** Reading the list found what the feed had not brought: it is taken over, and this is told. */
  onDrift?: (ids: readonly number[]) => void;
  /** How often the list is read to compare, in milliseconds; 30,000 by default. */
  compareEveryMs?: number;
} & (K extends 'order' ? { /** Only orders in these; all by default. */ statuses?: readonly OrderStatus[] } : unknown);
export type Live<K extends keyof Kinds> = {
  all: () => readonly Kinds[K][];
  feed: Feed;
  /** Whether the list has been read since the last gap: until then there may be more than `all` has. */
  isComplete: () => boolean;
  close: () => void;
};
type To = {
  feed: (handlers: FeedHandlers) => Feed;
  calls: CallsByName;
  pages: Pages;
  who: () => Who | null;
};
type Versioned = { id: number; version: number };

type Following<T extends Versioned> = {
  to: To;
  handlers: Pick<LiveHandlers<'item'>, 'onStanding' | 'onEvent' | 'onDrift' | 'compareEveryMs'>;
  read: () => AsyncIterable<readonly T[]>;
  /** One by its id; null where there is none any more. */
  readOne: (id: number) => Promise<T | null>;
  pick: (event: FeedEvent) => T | null;
  isShown: (one: T) => boolean;
  onChange: () => void;
};

/** The longest that the feed may lag behind the list before that is worth telling, in milliseconds. */
const feedLagMs = 3000;

/** Connects first and reads the list then, so that nothing falls between; reads it again after a gap, and to compare. */
function follow<T extends Versioned>(following: Following<T>) {
  const { to, handlers, pick, isShown, onChange } = following;
  const fold = createFold<T>();
  /** What the list had and the feed had not, by id: for a moment that is a race, then it is drift. */
  const suspects = new Map<number, number>();
  const state = { complete: false, reading: false, again: false, closed: false, told: false };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function change(): void {
    if (state.told) return;
    state.told = true;
    queueMicrotask(() => {
      state.told = false;
      if (!state.closed) onChange();
    });
  }
  function takeRead(one: T): void {
    if (!fold.take(one)) return;
    if (state.complete) suspects.set(one.id, one.version);
    change();
  }
  async function compare(): Promise<void> {
    const before = new Map(fold.all().map((one) => [one.id, one.version]));
    const found = new Set<number>();
    for await (const page of following.read())
      for (const one of page) {
        found.add(one.id);
        takeRead(one);
      }
    for (const one of fold.all()) {
      if (!isShown(one) || found.has(one.id) || before.get(one.id) !== one.version) continue;
      const now = await following.readOne(one.id);
      if (now) takeRead(now);
      else if (fold.remove(one.id)) change();
    }
    if (!state.complete) change();
    state.complete = true;
    await wait(feedLagMs);
    if (suspects.size > 0) handlers.onDrift?.([...suspects.keys()]);
    suspects.clear();
  }
  async function read(): Promise<void> {
    if (state.reading) {
      state.again = true;
      return;
    }
    clearTimeout(timer);
    Object.assign(state, { reading: true, again: false });
    let nextMs = handlers.compareEveryMs ?? 30_000;
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      nextMs = error.retryAfterMs ?? 2000;
    } finally {
      state.reading = false;
    }
    if (state.closed) return;
    if (state.again) return read();
    timer = setTimeout(() => void read(), jittered(nextMs));
  }

  const feed = to.feed({
    onEvent: (event) => {
      handlers.onEvent?.(event);
      const one = pick(event);
      if (!one) return;
      if ((suspects.get(one.id) ?? Number.POSITIVE_INFINITY) <= one.version) suspects.delete(one.id);
      if (fold.take(one)) change();
    },
    onStanding: (viewerRole) => {
      if (viewerRole.status === 'gap') {
        fold.forget();
        state.complete = false;
        change();
      }
      handlers.onStanding?.(viewerRole);
      if (viewerRole.status === 'live' && !state.complete) void read();
    },
  });
  return {
    shown: () => fold.all().filter(isShown),
    feed,
    isComplete: () => state.complete,
    close: () => {
      state.closed = true;
      clearTimeout(timer);
      feed.close();
    },
  };
}

const noneIf404 = (error: unknown): null => {
  if (error instanceof CallFailure && error.code === 'not_found') return null;
  throw error;
};

export function followLiveOrders(to: To, handlers: LiveHandlers<'order'>): Live<'order'> {
  const { statuses } = handlers;
  const following = follow<OrderInEvent>({
    to,
    handlers,
    read: () =>
      to.pages('listOrders', { limit: 200, sort: 'created_at', ...(statuses && { status: statuses.join() }) }),
    readOne: (id) => to.calls.getOrder({ id }).catch(noneIf404),
    pick: ({ data }) => ('order' in data ? data.order : null),
    isShown: ({ status }) => statuses?.includes(status) ?? true,
    onChange: () => handlers.onChange(all()),
  });
  function all(): LiveOrder[] {
    const who = to.who();
    const now = following.feed.now();
    const allowed = (order: OrderInEvent) => (who ? allowedTransitions(order, who, now) : []);
    return following
      .shown()
      .map((order) => ({ ...order, allowed_transitions: allowed(order) }))
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id);
  }
  const { feed, isComplete, close } = following;
  return { all, feed, isComplete, close };
}

type MaybeDeleted = MenuItem & { deleted?: boolean };

export function followLiveMenu(to: To, handlers: LiveHandlers<'item'>): Live<'item'> {
  const following = follow<MaybeDeleted>({
    to,
    handlers,
    read: async function* readMenu() {
      yield await to.calls.listMenu();
    },
    readOne: (id) => to.calls.getMenuItem({ id }).catch(noneIf404),
    pick: ({ data }) => ('item' in data ? (data.item as MaybeDeleted) : null),
    isShown: ({ deleted }) => deleted !== true,
    onChange: () => handlers.onChange(all()),
  });
  const all = (): LiveItem[] =>
    following.shown().toSorted((a, b) => (a.category ?? '').localeCompare(b.category ?? '') || a.position - b.position);
  const { feed, isComplete, close } = following;
  return { all, feed, isComplete, close };
}
