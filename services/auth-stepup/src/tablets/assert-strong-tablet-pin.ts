import { problem } from '@comanda/contracts/problem';
import { weaknessOfTabletPin, type TabletPinWeakness } from '@comanda/contracts/weak-pin';

/** The explanation for each pattern. It never contains the PIN itself. */
const reasons: Readonly<Record<TabletPinWeakness, string>> = {
  repetition: 'It repeats digits, as 1111 and 1212 do.',
  steps: 'Its digits follow each other in equal steps, as in 1234 and 9630.',
  year: 'It is a year.',
  common: 'It is one of the most common PINs.',
};

/** @throws 422 `tablet_pin_weak`, with the pattern that makes the PIN easy to guess */
export function assertStrongTabletPin(pin: string): void {
  const weakness = weaknessOfTabletPin(pin);
  if (weakness !== null)
    throw problem('tablet_pin_weak', {
      detail: `This tablet PIN is easy to guess. ${reasons[weakness]} Choose four digits without a pattern.`,
    });
}
