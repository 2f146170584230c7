import { signal } from '@preact/signals';

export type ScreenName = 'board' | 'waiter' | 'manager';

const read = (): string => location.hash.replace(/^#\/?/, '');
/** What follows `#/` in the address, for example `manager/menu`. */
export const path = signal(read());
addEventListener('hashchange', () => {
  path.value = read();
});

/** The screen that the address names; the board by default. */
export function currentScreen(): ScreenName {
  const [first] = path.value.split('/');
  return first === 'waiter' || first === 'manager' ? first : 'board';
}
