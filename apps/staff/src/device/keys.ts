import { computed } from '@preact/signals';
import { onDevice } from '../on-device.ts';

export const actions = [
  ...(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const).map((position) => `card_${position}` as const),
  'bump',
  'left',
  'right',
  'up',
  'down',
  'item',
  'undo',
  'read',
  'more',
  'recall',
  'all_day',
  'sold_out',
  'next_page',
  'previous_page',
  'close',
] as const;
export type Action = (typeof actions)[number];

/** The default actions by key name (`KeyboardEvent.key`). */
export const defaults: Readonly<Record<string, Action>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => [String(digit), `card_${digit}` as Action])),
  '0': 'card_10',
  Enter: 'bump',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ' ': 'item',
  u: 'undo',
  r: 'read',
  m: 'more',
  Backspace: 'recall',
  s: 'all_day',
  o: 'sold_out',
  PageDown: 'next_page',
  PageUp: 'previous_page',
  Escape: 'close',
};

const isAction = (value: unknown): value is Action => actions.some((action) => action === value);

export type Keys = ReturnType<typeof openKeys>;

/** This device's keys. Keys that staff have taught take precedence over the defaults, because bump bars differ. */
export function openKeys() {
  // Another release may have stored actions that this one lacks.
  const taught = computed(() =>
    Object.fromEntries(Object.entries(onDevice.keys.signal.value).filter(([, action]) => isAction(action))),
  );
  return {
    actionOf: (key: string): Action | undefined => taught.value[key] ?? defaults[key] ?? defaults[key.toLowerCase()],
    taught,
  };
}
