import { problem } from '@comanda/contracts/problem';
import { checkPin, type CheckPinDeps } from './check-pin.ts';
import type { PinRequester } from './pin-requester.ts';
import { readNewPin, type NewPinInput } from './new-pin.ts';
import type { PinHolder } from './pin-document.ts';
import { replacePin } from './replace-pin.ts';

/**
 * Replaces the PIN and voids the step-up tokens issued for the old one.
 * @throws 422 `confirmation_mismatch`, `transaction_password_weak`; the same problems as `checkPin`
 */
export async function changePin(
  deps: CheckPinDeps,
  input: NewPinInput & { current: string },
  requester: PinRequester,
): Promise<PinHolder> {
  const pin = readNewPin(input);
  if (pin === input.current)
    throw problem('transaction_password_weak', { detail: 'Choose a PIN that differs from the current one.' });
  const holder = await checkPin(deps, { ...requester, pin: input.current });
  return replacePin(deps, { holder, pin, change: 'changed' }, requester);
}
