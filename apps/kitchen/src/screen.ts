import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';

export type ScreenName = 'board' | 'waiter' | 'manager';

/** Where an address leads that names no screen: to what was last chosen on this device, else on a phone to the waiters' pages. */
const home = readSetting('kitchen.screen') ?? (matchMedia('(width < 640px)').matches ? 'waiter' : 'board');
const read = (): string => location.hash.replace(/^#\/?/, '') || home;
/** What follows `#/` in the address, for example `manager/menu`. */
export const path = signal(read());
addEventListener('hashchange', () => {
  path.value = read();
  const screen = currentScreen();
  if (screen !== 'manager') writeSetting('kitchen.screen', screen);
});

/** The screen that the address names; the board by default. */
export function currentScreen(): ScreenName {
  const [first] = path.value.split('/');
  return first === 'waiter' || first === 'manager' ? first : 'board';
}
