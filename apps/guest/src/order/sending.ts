import { CallFailure, type Client, type LiveOrder } from '@comanda/client/core';
import type { OptionDefect } from '@comanda/contracts/options';
import { batch, computed, effect, signal } from '@preact/signals';
import { toMinor } from '@comanda/contracts/money';
import { openUnsent } from '@comanda/ui/unsent.ts';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import type { Menu } from '../menu/menu.ts';
import { orderMessages } from './messages.ts';
import { onDevice } from '../on-device.ts';
import type { Seat } from '../seat/seat.ts';
import type { Basket, BasketContent } from './basket.ts';
import type { Options } from '../menu/options.ts';
import type { Orders } from './orders.ts';
import {
  earlierOrder,
  inputOfBasket,
  hasChangedTable,
  isForgotten,
  isSame,
  isTooOld,
  type UnsentOrder,
} from './unsent-order.ts';

type Deps = {
  client: Client;
  seat: Seat;
  menu: Menu;
  orders: Orders;
  basket: Basket;
  options: Pick<Options, 'load'>;
  announce: (text: string) => void;
};

/** Sends the basket, and tries again until there is a response, even after a reload. */
export function openSending({ client, seat, menu, orders, basket, options, announce }: Deps) {
  const unsent = openUnsent(onDevice.unsent, [earlierOrder]);
  /** The order that was placed last. `changedTotal` is its total if the guest had seen a different one, and null otherwise. */
  const lastSent = signal<{ id: number; changedTotal: string | null } | null>(null);
  const mayBeSent = openCheck({ client, seat, isResumed: unsent.all.peek().some(isWaiting) });
  const sender = unsent.open<UnsentOrder['input'], { kind: 'made'; order: LiveOrder } | { kind: 'held' }>('order', {
    send: async ({ key, input }, { signal: aborted, change }) => {
      if (input.typed === null || !(await mayBeSent.check(input))) return { kind: 'held' };
      // The guest may have stopped the order during the check, in this tab or in another one.
      if (!sender.read().some((entry) => entry.key === key && isWaiting(entry))) return { kind: 'held' };
      change({ ...input, triedAt: client.now() });
      const callOptions = { idempotencyKey: key, signal: aborted, repeat: 'never' } as const;
      const order = await client.calls.placeOrder(input.typed.order, callOptions).catch(mayBeSent.noteFailure);
      return { kind: 'made', order };
    },
    onResult: (entry, result) => {
      if (result.kind !== 'made') {
        const { failure } = { failure: null, ...result };
        const refused = failure?.is('options_invalid') ? failure.problem.items : [];
        giveBack(entry, { isOld: result.kind === 'held', refused });
        if (!failure) return;
        // The menu on this phone may be older than the server's.
        if (/^(?:menu_item|options)_/.test(failure.code)) {
          menu.loadAgain();
          options.load();
        }
        if (failure.is('ordering_paused')) void menu.ordering.load();
        if (failure.is('seating_closed')) seat.markClosed();
        return;
      }
      const { order } = result;
      const isShownTotal = toMinor(order.total) === toMinor(entry.input.sum);
      lastSent.value = { id: order.id, changedTotal: isShownTotal ? null : order.total };
      announce(orderMessages().orderSent(order.ticket));
    },
    isDecided: (failure) => !failure.isUndecided,
  });
  /** The order that is being sent; null if there is none. All tabs together send at most one at a time. */
  const outgoing = computed(() => sender.entries.value.find(isWaiting) ?? null);
  /** Orders whose dishes are back in the basket, because the server has rejected them or sending was stopped. */
  const ended = computed(() => sender.entries.value.filter((entry) => !isWaiting(entry)));
  const isRefused = computed(() => ended.value.some(({ state }) => state === 'refused'));
  for (const { key, state, input } of ended.peek())
    if (isForgotten(input) || (state === 'held' && !seat.isOwn(input.userId))) sender.remove(key);
  // An order that is being sent may have been accepted just before the table was closed, so its outcome is awaited first.
  const stopLeaving = effect(() => {
    if (seat.isClosed.value && outgoing.value === null) seat.leave();
  });

  /** Moves the order's dishes and allergies back into the basket. The unsent order keeps no copy. */
  function giveBack({ key, input }: UnsentOrder, { isOld, refused = [] }: GivenBack): void {
    batch(() => {
      sender.change(key, { ...input, typed: null, isOld });
      if (input.typed) basket.putBack(withDefects(input.typed, refused));
    });
  }
  return {
    outgoing,
    ended,
    /** True while the page shows why the server has rejected an order, for example because the table was closed. */
    isRefused,
    lastSent,
    dismiss: sender.remove,
    /** Sends the basket. Sending empties it, so a second tap does nothing. */
    send: (): void => {
      const next = inputOfBasket({ client, seat, orders, basket });
      // Another tab may be sending an order that this tab doesn't know about yet.
      if (!next || sender.read().some(isWaiting)) return;
      const same = ended.peek().find((entry) => isSame(entry, next, seat));
      batch(() => {
        for (const { key } of ended.peek()) sender.remove(key);
        basket.clear();
        if (same) sender.add(same.key, { ...next, at: same.input.at, before: same.input.before });
        else sender.add(client.newKey(), next);
      });
    },
    stop: (): void => {
      const stopped = sender.read().find(isWaiting);
      if (!stopped) return;
      batch(() => {
        sender.hold(stopped.key);
        giveBack(stopped, { isOld: false });
      });
    },
    tryNow: sender.tryNow,
    close: () => {
      stopLeaving();
      sender.close();
      unsent.close();
    },
  };
}

type GivenBack = { isOld: boolean; /** What is wrong with the lines' options. */ refused?: readonly Refusal[] };
type Refusal = OptionDefect & { index: number };
/** Adds to each line what the server said is wrong with its options. */
const withDefects = <T extends BasketContent>(typed: T, refused: readonly Refusal[]): T => ({
  ...typed,
  lines: typed.lines.map((line, at) => {
    const own = refused.filter(({ index }) => index === at);
    return own.length > 0 ? { ...line, refused: own } : line;
  }),
});

type Check = Pick<Deps, 'client' | 'seat'> & { isResumed: boolean };
function openCheck({ client, seat, isResumed }: Check) {
  /** True if staff may have moved the guest without this phone knowing, because the page was closed or there was no network. */
  let mayHaveMoved = isResumed;
  return {
    /** Checks before each attempt whether the order may still be sent for this phone's current table. */
    check: async (input: UnsentOrder['input']): Promise<boolean> => {
      if (isTooOld(input)) return false;
      // The table's code is still being checked, so the table will be known soon.
      if (seat.isScanning.value) throw localFailure('unreachable');
      if (mayHaveMoved) await client.renewTokens().catch(unlessUnreachable);
      mayHaveMoved = false;
      if (client.who()?.userId !== input.userId) throw localFailure('authentication_required');
      return !hasChangedTable(input, seat);
    },
    noteFailure: (error: unknown): never => {
      mayHaveMoved ||= error instanceof CallFailure && error.code === 'unreachable';
      throw error;
    },
  };
}

const localFailure = (code: 'authentication_required' | 'unreachable'): CallFailure =>
  new CallFailure('The guest who sent this has left.', { code, outcome: 'none' });
/** Ignores failures other than `unreachable`: the current tokens may still be valid for an order. */
function unlessUnreachable(error: unknown): void {
  if (!(error instanceof CallFailure) || error.code === 'unreachable') throw error;
}
