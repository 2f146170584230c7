import type { MenuItem } from '@comanda/contracts/menu';
import { createChangeDetector, createLiveList, nullIfNotFound, type LiveListDeps } from './list.ts';
import type { Live, LiveHandlers, LiveItem } from './types.ts';

type MaybeDeleted = MenuItem & { deleted?: boolean };

/** Follows the menu, sorted by category and position. */
export function followLiveMenu(deps: LiveListDeps, handlers: LiveHandlers<'item'>): Live<'item'> {
  const changesOf = createChangeDetector<LiveItem>();
  const list = createLiveList<MaybeDeleted>(deps, {
    handlers,
    readList: async function* readMenu(callOptions) {
      yield await deps.calls.listMenu({}, callOptions);
    },
    readOne: (id, callOptions) => deps.calls.getMenuItem({ id }, callOptions).catch(nullIfNotFound),
    fromEvent: ({ data }) => ('item' in data ? (data.item as MaybeDeleted) : null),
    known: handlers.known,
    checksum: 'menu',
    isCounted: ({ deleted }) => deleted !== true,
    select: (items) => items.filter(({ deleted }) => deleted !== true),
    onChange: (source) => {
      const items = all();
      handlers.onChange(items, changesOf(items), source);
    },
  });
  const all = (): LiveItem[] =>
    list.shown().sort((a, b) => (a.category ?? '').localeCompare(b.category ?? '') || a.position - b.position);
  const { feed, isRead, isComplete, apply, remove, close } = list;
  return { all, feed, isRead, isComplete, apply, remove, close };
}
