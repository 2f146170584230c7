import type { Answer, Client, Input, SensitiveCall } from '@comanda/client/core';
import { pinCall, type PinCall, type PinCallOptions } from '@comanda/ui/pin-call.ts';
import { Cancelled } from '@comanda/ui/use-action.ts';
import { signal } from '@preact/signals';

/**
 * What the PIN is for: a function that returns a text in the page's language, a deposit into this owner's account, or a change to
 * the dish or the option group with this previous name (null for a new one).
 */
export type Purpose =
  | (() => string)
  | { kind: 'deposit'; owner: string }
  | { kind: 'dish' | 'options'; name: string | null; currency: string };
/** A call that may need the PIN. For `key` and `details`, see `pinCall`. */
type Action<N extends SensitiveCall> = Pick<PinCallOptions<Answer<N>>, 'key' | 'details'> & {
  call: N;
  input: Input<N>;
  purpose: Purpose;
};
type Asked = { purpose: Purpose; call: PinCall<unknown> };
export type ManagerConsent = ReturnType<typeof openConsent>;

/**
 * Thrown if the manager's PIN is blocked until this time, or until another manager approves a reset (null). The call was not
 * made.
 */
export class PinBlocked extends Error {
  readonly until: string | null;
  constructor(until: string | null) {
    super('The PIN is blocked.');
    this.name = 'PinBlocked';
    this.until = until;
  }
}

/** Makes calls that need a manager's PIN, and opens the dialog that asks for it. */
export function openConsent({ calls }: Pick<Client, 'calls'>) {
  /** The call that waits for the PIN, and its purpose; null while the dialog is closed. */
  const asked = signal<Asked | null>(null);
  /** True if this manager has no PIN yet, and must create one in the dialog. */
  const isNew = signal(false);

  /**
   * Makes a call that may need the PIN.
   * @throws CallFailure, `PinBlocked`, or `Cancelled` if the manager closes the dialog
   */
  async function run<N extends SensitiveCall>({
    call: name,
    input,
    purpose,
    ...options
  }: Action<N>): Promise<Answer<N>> {
    let notAsked: unknown = new Cancelled();
    async function findPin(): Promise<boolean> {
      asked.value?.call.leave();
      asked.value = { purpose, call };
      try {
        const { status, blocked_until: until = null } = await calls.transactionPassword();
        isNew.value = status === 'absent';
        if (status === 'blocked') notAsked = new PinBlocked(until);
        return status !== 'blocked';
      } catch (failure) {
        notAsked = failure;
        return false;
      }
    }
    const call = pinCall({ calls }, name, { input, ...options, mayAskForPin: findPin });
    const end = await call.ended.finally(() => {
      if (asked.value?.call === call) asked.value = null;
    });
    if (end.kind === 'done') return end.answer;
    throw end.kind === 'refused' ? end.failure : notAsked;
  }
  return {
    asked,
    isNew,
    run,
    /** Continues with the PIN that the manager has just created. */
    enterNew: (pin: string): void => {
      isNew.value = false;
      asked.value?.call.enter(pin);
    },
    leave: (): void => asked.value?.call.leave(),
  };
}
