import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { CallName, Input } from '../calls/call-types.ts';
import { routes } from '../calls/calls.ts';
import { billSource } from './bills.ts';
import { openCollection, type Collection, type CollectionOptions } from './collection.ts';
import { callSource, orderingSource, restaurantSource, stationSource, stopSource, tableSource } from './floor.ts';
import { follow, type Followed } from './follow.ts';
import type { LiveListDeps } from './list.ts';
import { menuSource } from './menu.ts';
import { orderSource } from './orders.ts';
import type { ResourceName, Resources, Server, Source } from './resources.ts';
import type { Live, LiveHandlers } from './types.ts';

export type OpenCollection = <N extends ResourceName>(
  name: N,
  options?: CollectionOptions<N>,
) => Collection<Resources[N]>;

type Deps = { deps: LiveListDeps; server: Server };
type SourceOf<N extends ResourceName> = (server: Server, options: CollectionOptions<N>) => Source<Resources[N]>;

const sources: { readonly [N in ResourceName]: SourceOf<N> } = {
  orders: (server, { statuses }) => orderSource(server, statuses),
  bills: billSource,
  menu: menuSource,
  tables: tableSource,
  calls: callSource,
  stations: stationSource,
  ordering: orderingSource,
  stops: stopSource,
  restaurant: restaurantSource,
};

/** Deletions: which row a call without a response body removes. */
const removed: { readonly [N in CallName]?: (input: Input<N>) => { name: ResourceName; id: number | string } } = {
  deleteMenuItem: ({ id }) => ({ name: 'menu', id }),
  deleteTable: ({ table }) => ({ name: 'tables', id: table }),
};

/** Calls that return a payment and change its bill. */
const payments: ReadonlySet<CallName> = new Set(['payBill', 'cancelBillPayment', 'refundBillPayment']);

/** An open collection of any resource. */
type Changeable = Pick<Followed<never>, 'apply' | 'remove' | 'loadOne'>;

/** The open collections of a client. The responses to its calls are applied to all of them. */
export function createCollections({ deps, server }: Deps) {
  const openByName = new Map<ResourceName, Set<Changeable>>();
  const openOf = (name: ResourceName): Iterable<Changeable> => openByName.get(name) ?? [];

  const open: OpenCollection = (name, options = {}) => {
    const { collection, followed } = openCollection(deps, sources[name](server, options), options);
    const others = openByName.get(name) ?? new Set<Changeable>();
    openByName.set(name, others.add(followed));
    return {
      ...collection,
      close: () => {
        others.delete(followed);
        collection.close();
      },
    };
  };
  /** Applies the row in a response, removes the row that the call has deleted, and loads the bill of a payment again. */
  function takeResponse(call: CallName, input: unknown, body: unknown): void {
    const { row } = routes[call];
    if (row !== undefined) for (const followed of openOf(row)) followed.apply(body as never);
    const gone = removed[call]?.(input as never);
    if (gone) for (const followed of openOf(gone.name)) followed.remove(gone.id);
    if (payments.has(call))
      for (const followed of openOf('bills')) void followed.loadOne((body as BillPayment).bill_id);
  }
  return {
    open,
    takeResponse,
    liveOrders: (handlers: LiveHandlers<'order'>): Live<'order'> =>
      toLive(follow(deps, orderSource(server, handlers.statuses), handlers)),
    liveMenu: (handlers: LiveHandlers<'item'>): Live<'item'> => toLive(follow(deps, menuSource(server), handlers)),
  };
}

const toLive = <T>({ rows: all, feed, isRead, isComplete, apply, remove, close }: Followed<T>) => ({
  all,
  feed,
  isRead,
  isComplete,
  apply,
  remove,
  close,
});
