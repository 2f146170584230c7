import { CallFailure, createOutbox, type Client, type LiveOrder, type Outbox } from '@comanda/client';
import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';
import { toMinor } from '@comanda/contracts/money';
import { followStored } from '@comanda/ui/stored-setting.ts';
import type { Menu } from '../menu/menu.ts';
import { messages } from '../messages.ts';
import type { Seat } from '../seat/seat.ts';
import type { Basket } from './basket.ts';
import type { Orders } from './orders.ts';
import {
  createOutgoing,
  createStorage,
  isElsewhere,
  isTooOld,
  readStopped,
  storedOutgoing,
  storedStopped,
  type Outgoing,
  type Stopped,
} from './outgoing.ts';

type Deps = {
  client: Client;
  seat: Seat;
  menu: Menu;
  orders: Orders;
  basket: Basket;
  announce: (text: string) => void;
};

type Storage = ReturnType<typeof createStorage>;
function createState(storage: Storage, seat: Seat) {
  const [resumed = null] = storage.get();
  const outgoing = signal(resumed);
  /** There is no answer after some seconds: the guest is told. */
  const isLate = signal(false);
  // Of the tries before a reload, at least one may have arrived.
  const attempts = signal({ count: resumed ? 1 : 0, lastAt: resumed?.at ?? 0 });
  /** Why the server refused the order; one of earlier attempts may have arrived. */
  const refusal = signal<{ failure: CallFailure; attempts: number } | null>(null);
  /** The order that was placed last, and what it came to if the guest was shown another sum. */
  const lastSent = signal<{ id: number; changedTotal: string | null } | null>(null);
  const stopped = signal<Stopped | null>(readStopped(seat));
  function setStopped(next: Stopped | null): void {
    stopped.value = next;
    storedStopped.write(next);
  }
  return { outgoing, isLate, attempts, refusal, lastSent, stopped, setStopped };
}

/** Sends the basket, and goes on until there is an answer, also after a reload. */
export function openSending({ client, seat, menu, orders, basket, announce }: Deps) {
  const storage = createStorage();
  const state = createState(storage, seat);
  const { outgoing, isLate, attempts, refusal, lastSent, stopped, setStopped } = state;
  const { isStillTried, noteFailure } = openCheck({ client, seat, storage, isResumed: outgoing.value !== null });
  const outbox = createOutbox<Outgoing, LiveOrder>({
    storage,
    keyOf: ({ key }) => key,
    send: async (entry, { signal: aborted }) => {
      if (!(await isStillTried(entry))) giveUp({ ...entry, isOld: true });
      // Whoever takes an entry out ends its try.
      aborted.throwIfAborted();
      attempts.value = { count: attempts.peek().count + 1, lastAt: client.now() };
      const options = { idempotencyKey: entry.key, signal: aborted, repeat: 'never' } as const;
      return client.calls.placeOrder(entry.order, options).catch(noteFailure);
    },
    onChange: ([first]) =>
      batch(() => {
        outgoing.value = first ?? null;
        isLate.value = false;
      }),
    onLate: () => (isLate.value = true),
    onSent: ({ sum }, order) => {
      orders.apply(order);
      lastSent.value = { id: order.id, changedTotal: toMinor(order.total) === toMinor(sum) ? null : order.total };
      announce(messages().orderSent(order.ticket));
    },
    onRefused: (refused, failure) => {
      if (storage.isTakenOut(refused.key)) return;
      basket.putBack(refused);
      refusal.value = { failure, attempts: attempts.peek().count };
      if (failure.is('ordering_paused')) void menu.ordering.read();
      if (failure.is('seating_closed')) seat.noteClosed();
    },
    isDecided: (failure) => !failure.isUndecided,
  });

  const stopLeaving = leaveWhenClosed(seat, outgoing);
  const stopFollowing = followOtherTabs({ outbox, ...state });

  /** Ends the tries. What was chosen is back in the basket, unless another tab has put it there, or sent it. */
  function giveUp(given: Stopped): void {
    batch(() => {
      if (!storage.isTakenOut(given.key)) {
        setStopped(given);
        basket.putBack(given);
      }
      outbox.remove(given.key);
    });
  }
  return {
    ...state,
    dismissStopped: (): void => setStopped(null),
    /** Sends the basket. A second tap finds it empty, and does nothing. */
    send: (): void => {
      // Another tab may have an order on its way, of which this one has not heard yet.
      const isFree = outgoing.value === null && storage.get().length === 0;
      const next = isFree ? createOutgoing({ client, seat, orders, basket, stopped: stopped.value }) : null;
      if (!next) return;
      batch(() => {
        refusal.value = null;
        setStopped(null);
        attempts.value = { count: 0, lastAt: client.now() };
        basket.clear();
        outbox.add(next);
      });
    },
    stop: (): void => {
      if (outgoing.value) giveUp(outgoing.value);
    },
    tryNow: outbox.tryNow,
    close: () => {
      stopLeaving();
      stopFollowing();
      outbox.close();
    },
  };
}

/** Not before an order on its way is answered: it may have been accepted just before the table was closed. */
function leaveWhenClosed(seat: Seat, outgoing: ReadonlySignal<Outgoing | null>): () => void {
  return effect(() => {
    if (seat.isClosed.value && outgoing.value === null) seat.leave();
  });
}

type Check = Pick<Deps, 'client' | 'seat'> & { storage: Storage; isResumed: boolean };
function openCheck({ client, seat, storage, isResumed }: Check) {
  /** Of what happened without a network, or while the page was not there, this phone has not heard. */
  let mayHaveMoved = isResumed;
  /** Asked before each try: whether the order may still go, to where this phone is now. */
  async function isStillTried(entry: Outgoing): Promise<boolean> {
    if (storage.isTakenOut(entry.key) || isTooOld(entry)) return false;
    // Where this phone is, is not known: soon, it is.
    if (seat.isScanning.value) throw refusedHere('unreachable');
    if (mayHaveMoved) await client.renewTokens().catch(unlessUnreachable);
    mayHaveMoved = false;
    if (storage.isTakenOut(entry.key)) return false;
    if (client.who()?.userId !== entry.userId) throw refusedHere('authentication_required');
    return !isElsewhere(entry, seat);
  }
  function noteFailure(error: unknown): never {
    mayHaveMoved ||= error instanceof CallFailure && error.code === 'unreachable';
    throw error;
  }
  return { isStillTried, noteFailure };
}

type FollowingDeps = ReturnType<typeof createState> & { outbox: Outbox<Outgoing> };
/** One order on its way for all tabs: what another one has stopped or finished ends here, what it sends is shown. */
function followOtherTabs({ outbox, outgoing, attempts, refusal, stopped }: FollowingDeps): () => void {
  const ends = [
    followStored(storedStopped, (theirs) => (stopped.value = theirs)),
    followStored(storedOutgoing, (theirs) => {
      const own = outgoing.value;
      if (own && own.key !== theirs?.key) outbox.remove(own.key);
      if (!theirs || own?.key === theirs.key) return;
      batch(() => {
        refusal.value = null;
        attempts.value = { count: 1, lastAt: theirs.at };
        outbox.add(theirs);
      });
    }),
  ];
  return () => ends.forEach((end) => end());
}

const refusedHere = (code: 'authentication_required' | 'unreachable'): CallFailure =>
  new CallFailure('The guest who sent this has left.', { code, outcome: 'none' });
/** A server that renews no tokens now takes orders with those that are there. */
function unlessUnreachable(error: unknown): void {
  if (!(error instanceof CallFailure) || error.code === 'unreachable') throw error;
}
