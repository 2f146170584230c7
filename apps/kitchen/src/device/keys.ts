import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';

export const actions = [
  ...(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const).map((position) => `card_${position}` as const),
  'bump',
  'left',
  'right',
  'up',
  'down',
  'item',
  'more',
  'recall',
  'all_day',
  'next_page',
  'previous_page',
  'close',
] as const;
export type Action = (typeof actions)[number];

/** Keys by the name that the browser gives them (`KeyboardEvent.key`). */
const defaults: Readonly<Record<string, Action>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => [String(digit), `card_${digit}` as Action])),
  '0': 'card_10',
  Enter: 'bump',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ' ': 'item',
  m: 'more',
  Backspace: 'recall',
  s: 'all_day',
  PageDown: 'next_page',
  PageUp: 'previous_page',
  Escape: 'close',
};

/** Keys that somebody has taught this device, because bump bars differ. They come before the defaults. */
const taught = signal<Readonly<Record<string, Action>>>(readTaught());

function readTaught(): Record<string, Action> {
  const stored = readSetting('kitchen.keys');
  if (stored === null) return {};
  try {
    const pairs = Object.entries(JSON.parse(stored) as Record<string, unknown>);
    return Object.fromEntries(pairs.filter((pair): pair is [string, Action] => actions.includes(pair[1] as Action)));
  } catch {
    return {}; // not written by this app
  }
}

export const actionOf = (key: string): Action | undefined =>
  taught.value[key] ?? defaults[key] ?? defaults[key.toLowerCase()];

/** The key that does this, to be shown. */
export const keyOf = (action: Action): string | undefined =>
  Object.entries({ ...defaults, ...taught.value }).findLast(([, each]) => each === action)?.[0];

export function teachKey(action: Action, key: string): void {
  const others = Object.entries(taught.value).filter(([, each]) => each !== action);
  taught.value = { ...Object.fromEntries(others), [key]: action };
  writeSetting('kitchen.keys', JSON.stringify(taught.value));
}

export function forgetKeys(): void {
  taught.value = {};
  writeSetting('kitchen.keys', null);
}
