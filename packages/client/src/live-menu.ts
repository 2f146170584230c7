import type { MenuItem } from '@comanda/contracts/menu';
import { createLiveList, nullIfNotFound } from './live-list.ts';
import type { LiveListDeps } from './live-list.ts';
import type { Live, LiveHandlers, LiveItem } from './live-types.ts';

type MaybeDeleted = MenuItem & { deleted?: boolean };

/** The menu, by category and position. */
export function followLiveMenu(deps: LiveListDeps, handlers: LiveHandlers<'item'>): Live<'item'> {
  const list = createLiveList<MaybeDeleted>(deps, {
    handlers,
    readList: async function* readMenu() {
      yield await deps.calls.listMenu();
    },
    readOne: (id) => deps.calls.getMenuItem({ id }).catch(nullIfNotFound),
    fromEvent: ({ data }) => ('item' in data ? (data.item as MaybeDeleted) : null),
    isShown: ({ deleted }) => deleted !== true,
    onChange: () => handlers.onChange(all()),
  });
  const all = (): LiveItem[] =>
    list.shown().toSorted((a, b) => (a.category ?? '').localeCompare(b.category ?? '') || a.position - b.position);
  const { feed, isComplete, close } = list;
  return { all, feed, isComplete, close };
}
