import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Origin } from '../security-log/security-event.ts';

export type PinRules = {
  /** The first attempt after a block needs a sign-in that is later than the block. */
  signInAfterBlock: boolean;
  /** After so many consecutive wrong results only a reset helps; null: never. */
  maxLifetimeFailures: number | null;
};
/** Who asks, and in which request. */
export type PinRequester = {
  caller: Pick<Caller, 'userId' | 'authTime'>;
  origin: Origin;
  traceparent: string;
};
