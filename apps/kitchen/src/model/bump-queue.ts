import { CallFailure } from '@comanda/client';
import type { OrderStatus } from '@comanda/contracts/orders';

/** One move of one ticket, as somebody made it at this screen. */
export type Bump = {
  id: string;
  orderId: number;
  ticket: number;
  table: string | null;
  /** Which items move; null: the whole order. */
  itemIds: readonly number[] | null;
  from: OrderStatus;
  to: OrderStatus;
  /** The order's version that the person saw. */
  version: number;
  /** The server's time. */
  atMs: number;
};
/** Why a bump was not made. */
export type Refused = { bump: Bump; failure: CallFailure };

export type BumpQueueDeps = {
  /** Makes the move on the server. */
  send: (bump: Bump) => Promise<void>;
  load: () => readonly Bump[];
  /** @throws if the device has no storage left; the bump is then kept in memory only. */
  save: (bumps: readonly Bump[]) => void;
  onChange: (waiting: readonly Bump[]) => void;
  onRefused: (refused: Refused) => void;
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
 * they were made. A bump that the server refuses leaves the queue and is reported; it is never forced.
 */
export function createBumpQueue(deps: BumpQueueDeps): BumpQueue {
  const { send, load, save, onChange, onRefused, retryMs = 4_000 } = deps;
  let bumps: readonly Bump[] = load();
  let sendingId: string | null = null;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: readonly Bump[]): void {
    bumps = next;
    save(bumps);
    onChange(bumps);
  }

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    if (sendingId !== null) return;
    while (bumps[0] && !isClosed) {
      const [first] = bumps;
      sendingId = first.id;
      const outcome = await send(first).then(
        () => ({ kind: 'done' as const }),
        (error: unknown) => ({ kind: 'failed' as const, error }),
      );
      sendingId = null;
      if (outcome.kind === 'failed') {
        const { error } = outcome;
        if (!(error instanceof CallFailure)) throw error;
        if (canRepeat(error)) {
          if (!isClosed) timer = setTimeout(() => void sendAll(), error.retryAfterMs ?? retryMs);
          return;
        }
        onRefused({ bump: first, failure: error });
      }
      set(bumps.filter(({ id }) => id !== first.id));
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
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Whether the same call may succeed later: nobody was reached, the server was busy, or the session ended. */
const canRepeat = ({ problem }: CallFailure): boolean =>
  problem === undefined || problem.status >= 500 || problem.status === 429 || problem.status === 401;
