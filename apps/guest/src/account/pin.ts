import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import type { EnteredPin } from '@comanda/ui/choose-pin.tsx';
import { signal } from '@preact/signals';
import type { Lock } from './lock.ts';

export type PinState = Answer<'transactionPassword'>;
export type PinTask = 'create' | 'change' | 'reset';

const recheckMs = 5000;

export type Pin = ReturnType<typeof openPin>;

/** Tracks whether this user has a PIN, and whether it is blocked. */
export function openPin(client: Client, lock: Lock) {
  /** The PIN's state; null until it is loaded. */
  const state = signal<PinState | null>(null);
  /** The task that the PIN page is showing; null while it shows the PIN's state. */
  const task = signal<PinTask | null>(null);
  let blockTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts requests for the state and changes to it. A response is outdated if the count has changed since its request. */
  let begun = 0;

  function setState(next: PinState): void {
    begun += 1;
    state.value = next;
    clearTimeout(blockTimer);
    if (next.status !== 'blocked' || next.blocked_until === undefined) return;
    // The server decides when a block has ended, so the state is loaded again at that time.
    const leftMs = Date.parse(next.blocked_until) - client.now();
    blockTimer = setTimeout(() => void read(), Math.max(recheckMs, leftMs + 500));
  }
  /** Loads the state. If the request fails, the last known state stays. Returns null then. */
  async function read(): Promise<PinState | null> {
    begun += 1;
    const own = begun;
    try {
      const answer = await client.calls.transactionPassword();
      if (own === begun) setState(answer);
      return answer;
    } catch {
      return null;
    }
  }
  /** Notes that the server rejected a PIN check because of a block. `until` is null if only a reset ends the block. */
  function block(until: string | null): void {
    setState({ ...state.peek(), status: 'blocked', ...(until !== null && { blocked_until: until }) });
  }
  /**
   * Sets a PIN. If the response is lost, loads the PIN's state to find out whether the PIN was set.
   * @throws CallFailure if the PIN was not set
   */
  async function set(how: PinTask, entered: EnteredPin): Promise<void> {
    const before = state.peek()?.created_at;
    try {
      setState(await callToSet(client, how, entered));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.is('reauthentication_required')) lock.askToSignInAgain();
      if (error.is('transaction_password_blocked')) block(error.problem.blocked_until ?? null);
      if (error.outcome !== 'unknown') throw error;
      const after = await read();
      const isSet = after?.created_at !== undefined && after.created_at !== before;
      if (!isSet) throw error;
    }
  }
  const choose = (next: PinTask | null): void => {
    task.value = next;
  };
  return { state, task, choose, read, block, set, close: () => clearTimeout(blockTimer) };
}

function callToSet({ calls }: Client, how: PinTask, { pin, current, password }: EnteredPin): Promise<PinState> {
  const twice = { transaction_password: pin, confirmation: pin };
  if (how === 'create') return calls.createTransactionPassword(twice);
  if (how === 'change') return calls.changeTransactionPassword({ ...twice, current });
  return calls.resetTransactionPassword({ ...twice, password });
}
