import { createClient as createCore, type Client as Core, type ClientOptions } from './client.ts';
import { followLiveMenu, followLiveOrders, type Live, type LiveHandlers } from './live.ts';

export * from './client.ts';
export { detailsOfCall, stepUpOf } from './calls/details-of-call.ts';
export { allowedTransitions, wasDelivered } from './live/allowed-transitions.ts';
export type { Live, LiveHandlers } from './live.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox.ts';

/** The client of `@comanda/client/core`, and lists for programs that use callbacks instead of signals. */
export type Client = Core & {
  /** Opens a list of orders that the feed keeps up to date. */
  liveOrders: (handlers: LiveHandlers<'order'>) => Live<'order'>;
  /** Opens the menu, which the feed keeps up to date. */
  liveMenu: (handlers: LiveHandlers<'item'>) => Live<'item'>;
};

/** Creates a client for browsers and Node. All tabs that share its storage have the same session. */
export function createClient(options: ClientOptions): Client {
  const core = createCore(options);
  return {
    ...core,
    liveOrders: (handlers) => followLiveOrders(core, handlers),
    liveMenu: (handlers) => followLiveMenu(core, handlers),
  };
}
