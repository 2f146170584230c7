import type { Client } from '@comanda/client/core';
import { signal, type ReadonlySignal } from '@preact/signals';

/** Creates a signal with the server's time in milliseconds. While a page or an effect reads it, it changes every second. */
export function openClock({ now }: Pick<Client, 'now'>): ReadonlySignal<number> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => void (clock.value = now());
  const clock = signal(now(), {
    watched: () => {
      tick();
      timer = setInterval(tick, 1_000);
    },
    unwatched: () => clearInterval(timer),
  });
  return clock;
}
