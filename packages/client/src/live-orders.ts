import type { OrderInEvent } from '@comanda/contracts/orders';
import { allowedTransitions } from './allowed-transitions.ts';
import { createLiveList, nullIfNotFound } from './live-list.ts';
import type { LiveListDeps } from './live-list.ts';
import type { Live, LiveHandlers, LiveOrder } from './live-types.ts';

/** Orders, oldest first, each with what the user may do with it. */
export function followLiveOrders(deps: LiveListDeps, handlers: LiveHandlers<'order'>): Live<'order'> {
  const { statuses } = handlers;
  const query = { limit: 200, sort: 'created_at', ...(statuses && { status: statuses.join() }) } as const;
  const list = createLiveList<OrderInEvent>(deps, {
    handlers,
    readList: () => deps.pages('listOrders', query),
    readOne: (id) => deps.calls.getOrder({ id }).catch(nullIfNotFound),
    fromEvent: ({ data }) => ('order' in data ? data.order : null),
    isShown: ({ status }) => statuses?.includes(status) ?? true,
    onChange: () => handlers.onChange(all()),
  });
  function all(): LiveOrder[] {
    const who = deps.who();
    const now = list.feed.now();
    return list
      .shown()
      .map((order) => ({ ...order, allowed_transitions: who ? allowedTransitions(order, who, now) : [] }))
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id);
  }
  const { feed, isComplete, close } = list;
  return { all, feed, isComplete, close };
}
