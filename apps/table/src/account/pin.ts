import type { Answer } from '@comanda/client';
import { CallFailure } from '@comanda/client';
import { signal } from '@preact/signals';
import { client } from '../state/client.ts';
import { serverNow } from './accounts.ts';
import { askToSignInAgain } from './lock.ts';

export type PinState = Answer<'transactionPassword'>;

/** Null until it was read. */
export const pinState = signal<PinState | null>(null);

let blockTimer: ReturnType<typeof setTimeout> | undefined;
const recheckMs = 5000;

function setPinState(state: PinState): void {
  pinState.value = state;
  clearTimeout(blockTimer);
  if (state.status !== 'blocked' || state.blocked_until === undefined) return;
  // The server decides when a block has ended: it is asked when the time has come.
  const leftMs = Date.parse(state.blocked_until) - serverNow();
  blockTimer = setTimeout(() => void readPin(), Math.max(recheckMs, leftMs + 500));
}
/** Reads the state of the PIN. Without an answer, what is known stays. */
export async function readPin(): Promise<PinState | null> {
  try {
    const state = await client.calls.transactionPassword();
    setPinState(state);
    return state;
  } catch {
    return null;
  }
}
export function forgetPin(): void {
  clearTimeout(blockTimer);
  pinState.value = null;
}
/** A PIN check was refused because of a block. `until` is null if only a reset ends it. */
export function blockPin(until: string | null): void {
  setPinState({ ...pinState.peek(), status: 'blocked', ...(until !== null && { blocked_until: until }) });
}

/** What the PIN page does; null: it shows the state. */
export const pinTask = signal<NewPin['kind'] | null>(null);
export type NewPin = { kind: 'create' } | { kind: 'change'; current: string } | { kind: 'reset'; password: string };
/**
 * Sets a PIN. If the answer was lost, the state tells whether it is set.
 * @throws CallFailure if it was not set
 */
export async function setPin(how: NewPin, pin: string): Promise<void> {
  const before = pinState.peek()?.created_at;
  const twice = { transaction_password: pin, confirmation: pin };
  try {
    if (how.kind === 'create') setPinState(await client.calls.createTransactionPassword(twice));
    else if (how.kind === 'change')
      setPinState(await client.calls.changeTransactionPassword({ ...twice, current: how.current }));
    else setPinState(await client.calls.resetTransactionPassword({ ...twice, password: how.password }));
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (error.code === 'reauthentication_required') askToSignInAgain();
    if (error.code === 'transaction_password_blocked')
      blockPin((error.problem?.['blocked_until'] ?? null) as string | null);
    if (error.outcome !== 'unknown') throw error;
    const after = await readPin();
    const isSet = after?.created_at !== undefined && after.created_at !== before;
    if (!isSet) throw error;
  }
}
