/// <reference lib="dom" />
import type { Locator } from 'playwright-core';
import { until } from './until.ts';

/** Returns true if a finger can tap the element where it is now: its middle is in view and nothing covers it. */
const isInReach = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  });

/**
 * Taps these elements one after another as a person does who never scrolls. Returns the number of taps.
 * @throws Error if an element isn't in view, or if another one covers it
 */
export async function tapInView(...targets: readonly Locator[]): Promise<number> {
  for (const target of targets) {
    await target.waitFor();
    await until(() => isInReach(target), { what: `${String(target)} within reach, without scrolling` });
    await target.click();
  }
  return targets.length;
}
