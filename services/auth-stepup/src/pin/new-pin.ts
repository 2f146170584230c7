import { problem } from '@comanda/contracts/problem';
import { isWeakPin } from '@comanda/contracts/weak-pin';

export type NewPinInput = { transaction_password: string; confirmation: string };

/** Returns the new PIN if it is confirmed and strong enough. @throws 422 `confirmation_mismatch`, `transaction_password_weak` */
export function readNewPin({ transaction_password: pin, confirmation }: NewPinInput): string {
  if (pin !== confirmation) throw problem('confirmation_mismatch');
  if (isWeakPin(pin)) throw problem('transaction_password_weak');
  return pin;
}
