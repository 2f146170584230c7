import { CallFailure } from '@comanda/client';
import type { Order } from '@comanda/contracts/orders';
import type { Bump } from './bump.ts';
import type { BumpOutcome } from './send-bump.ts';

/** A bump that was not made: somebody else was faster, or the server refuses it. */
export type Dropped = {
  kind: 'dropped';
  bump: Bump;
  why: Extract<BumpOutcome, { kind: 'overtaken' }> | { kind: 'refused'; failure: CallFailure };
};

export type BumpQueueDeps = {
  /** Makes the move on the server. */
  send: (bump: Bump) => Promise<BumpOutcome>;
  load: () => readonly Bump[];
  save: (bumps: readonly Bump[]) => void;
  onChange: (waiting: readonly Bump[]) => void;
  onDropped: (dropped: Dropped) => void;
  onMade: (order: Order) => void;
  /** Milliseconds until the next try after the server was not reached. */
  retryMs?: number;
};
export type BumpQueue = {
  waiting: () => readonly Bump[];
  add: (bump: Bump) => void;
  /** Takes a bump back that has not been sent. Returns whether it was still waiting. */
  remove: (id: string) => boolean;
  /** Tries at once. */
  retry: () => void;
  close: () => void;
};

/**
 * Keeps bumps until the server has answered them, over reloads too, and sends them one after the other in the order in which
 * they were made. A bump that no longer fits leaves the queue and is reported; it is never forced.
 */
export function createBumpQueue(deps: BumpQueueDeps): BumpQueue {
  const { send, load, save, onChange, onDropped, onMade, retryMs = 4_000 } = deps;
  let bumps: readonly Bump[] = load();
  let sendingId: string | null = null;
  const state = { isClosed: false };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: readonly Bump[]): void {
    bumps = next;
    save(bumps);
    onChange(bumps);
  }

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    if (sendingId !== null) return;
    while (bumps[0] && !state.isClosed) {
      const [first] = bumps;
      sendingId = first.id;
      const outcome = await send(first).catch((error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        return { kind: 'refused' as const, failure: error };
      });
      sendingId = null;
      if (outcome.kind === 'refused' && canRepeat(outcome.failure)) {
        if (!state.isClosed) timer = setTimeout(() => void sendAll(), outcome.failure.retryAfterMs ?? retryMs);
        return;
      }
      if (outcome.kind === 'made') onMade(outcome.order);
      set(bumps.filter(({ id }) => id !== first.id));
      if (outcome.kind !== 'made') onDropped({ kind: 'dropped', bump: first, why: outcome });
    }
  }

  if (bumps.length > 0) void sendAll();
  return {
    waiting: () => bumps,
    add: (bump) => {
      set([...bumps, bump]);
      void sendAll();
    },
    remove: (id) => {
      if (id === sendingId || !bumps.some((bump) => bump.id === id)) return false;
      set(bumps.filter((bump) => bump.id !== id));
      return true;
    },
    retry: () => void sendAll(),
    close: () => {
      state.isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Whether the same call may succeed later: nobody was reached, the server was busy, or the session ended. */
const canRepeat = ({ problem }: CallFailure): boolean =>
  problem === undefined || problem.status >= 500 || problem.status === 429 || problem.status === 401;
