import type { CallFailure } from '@comanda/client/core';
import { isAbsentOr, isListOf, isNumber, isObject, isObjectOf, isOneOf, isText, type Entry } from './device-entry.ts';

/** Work that the server has not accepted, such as an order. Entries are stored on the device until accepted or removed. */
export type Unsent<I = unknown> = {
  /** The idempotency key, which is the same for all attempts. */
  key: string;
  /** The kind of work, for example `order`. Each kind has its own `Sender`. */
  kind: string;
  input: I;
  /**
   * `sending`: no attempt has failed or taken 2.5 s yet. `late`: an attempt has. `refused`: the server has rejected the entry.
   * `held`: the entry is not being sent, because the user has stopped it or it is too old.
   */
  state: 'sending' | 'late' | 'refused' | 'held';
  /** The number of attempts that have started, in all tabs together. */
  attempts: number;
  /** Why the server has rejected the entry. */
  failure?: CallFailure;
};
export const isWaiting = ({ state }: Unsent): boolean => state === 'sending' || state === 'late';
const isKnown = (value: unknown): value is unknown => value !== undefined;
export type UnsentEntry = Entry<readonly Unsent[]>;
/** Checks a stored list of entries. */
export const isUnsent = isListOf(
  isObjectOf<Unsent>({
    key: isText,
    kind: isText,
    input: isKnown,
    state: isOneOf('sending', 'late', 'refused', 'held'),
    attempts: isNumber,
    failure: isAbsentOr<CallFailure>(isObject),
  }),
);
