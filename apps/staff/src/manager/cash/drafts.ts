import { useState } from 'preact/hooks';
import { onDeviceLater } from '../../on-device-later.ts';
import type { Pieces } from './pieces.ts';

/** What a manager has typed while counting. `key`: the call's idempotency key; empty until it is sent. */
export type CountDraft = { total: string; pieces: Pieces; key: string };
const empty: CountDraft = { total: '', pieces: {}, key: '' };

/** What is typed for this cash drawer. It stays until the count is saved, even over a reload. */
export function useCountDraft(drawer: string) {
  const { signal, write } = onDeviceLater.counts;
  const draft = signal.value[drawer] ?? empty;
  const set = (next: CountDraft | null): void => {
    const { [drawer]: _before, ...others } = signal.peek();
    write(next === null ? others : { ...others, [drawer]: next });
  };
  return { draft, set };
}

/** Returns an idempotency key for what is sent: a new one if it has changed since the last attempt. */
export function useKeyFor(newKey: () => string): (sent: string) => string {
  const [used] = useState({ sent: '', key: '' });
  return (sent) => {
    if (used.sent !== sent) Object.assign(used, { sent, key: newKey() });
    return used.key;
  };
}
