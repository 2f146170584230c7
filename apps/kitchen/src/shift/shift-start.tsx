import type { Client } from '@comanda/client';
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { formatDate } from '@comanda/ui/format.ts';
import { AppMenu } from '../app-menu.tsx';
import type { Device } from '../device/device.ts';
import { messages } from '../messages.ts';
import { useLoaded } from '../use-loaded.ts';
import { Legend } from './legend.tsx';
import { ShiftChecks, type Known } from './shift-checks.tsx';
import { ShiftChoices } from './shift-choices.tsx';
import type { TeachKeysProps } from './teach-keys.tsx';
import './shift-start.css';

const loadTeachKeys = async (): Promise<ComponentType<TeachKeysProps>> => (await import('./teach-keys.tsx')).TeachKeys;

type Props = Known & { client: Client; device: Device; onStart: () => void };

/** Station, columns, language, and what may go wrong: before the shift, not in it. */
export function ShiftStart({ client, device, onStart, ...known }: Props) {
  const words = messages().shift;
  const [isTeaching, setIsTeaching] = useState(false);
  const { Loaded: TeachKeys } = useLoaded(loadTeachKeys, isTeaching);
  function start(): void {
    void device.sounds.playAll();
    void device.awake.keep();
    // Refused in a frame, or where there is no full screen, as on a telephone: the board then fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    onStart();
  }
  return (
    <div class="shift">
      <main class="shift-choices">
        <p class="shift-brand">
          <strong>Comanda</strong> {messages().kitchenScreen}
        </p>
        <h1>{formatDate(known.now)}</h1>
        <ShiftChoices client={client} settings={device.settings} />
        <div class="shift-go">
          <button type="button" class="shift-start" onClick={start}>
            {words.start}
          </button>
          <a class="shift-waiter" href="#/waiter">
            {messages().menu.waiter}
            <small>{words.waiterHint}</small>
          </a>
        </div>
        <p class="shift-hint">{words.startHint}</p>
        <section class="shift-legend">
          <h2>{messages().legend.title}</h2>
          <Legend />
        </section>
      </main>
      <aside class="shift-checks">
        <div class="shift-head">
          <h2>{words.before}</h2>
          <AppMenu client={client} screen="board" />
        </div>
        <ShiftChecks {...known} device={device} onTeach={() => setIsTeaching(true)} />
      </aside>
      {isTeaching && TeachKeys && <TeachKeys keys={device.keys} onClose={() => setIsTeaching(false)} />}
    </div>
  );
}
