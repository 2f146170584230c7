import type { Client } from '@comanda/client/core';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { defaultStation } from '@comanda/contracts/rules';
import { formatDate } from '@comanda/ui/format.ts';
import { AppMenu } from '../app-menu/app-menu.tsx';
import { allStations, expediter } from '../bumps/ticket.ts';
import type { Device } from '../device/device.ts';
import { askKeptStorage } from '../device/kept-storage.ts';
import type { StationSettings } from '../device/station-settings.ts';
import { messages } from '../messages.ts';
import { shiftMessages } from './messages.ts';
import { useLoaded } from '../use-loaded.ts';
import { onDevice } from '../on-device.ts';
import { choose } from './choose.ts';
import { Legend } from './legend.tsx';
import { ShiftChecks, type Known } from './shift-checks.tsx';
import { ShiftChoices } from './shift-choices.tsx';
import type { StationFormProps } from './station-form.tsx';
import type { TeachKeysProps } from './teach-keys.tsx';
import '@comanda/ui/slate.css';
import { calledOf, renamed } from './screen-name.ts';
import './shift-start.css';

const loadTeachKeys = async (): Promise<ComponentType<TeachKeysProps>> => (await import('./teach-keys.tsx')).TeachKeys;

const loadStationForm = async (): Promise<ComponentType<StationFormProps>> =>
  (await import('./station-form.tsx')).StationForm;

export type ShiftStartProps = Known & {
  client: Client;
  device: Device;
  stationSettings: StationSettings;
  onStart: () => void;
};

/** The page that starts a shift, with its settings. It shows possible problems before the shift instead of during it. */
export function ShiftStart({ client, device, stationSettings, onStart, ...known }: ShiftStartProps) {
  const words = shiftMessages().shift;
  const { settings } = device;
  // From the first shift on, the choice of taps is this device's.
  useEffect(() => {
    if (settings.taps.peek() === null) choose(settings, 'taps', defaultStation.bumps);
  }, [settings]);
  const [isTeaching, setIsTeaching] = useState(false);
  const { Loaded: TeachKeys } = useLoaded(loadTeachKeys, isTeaching);
  const station = settings.station.value;
  const maySet = client.who()?.role === 'manager' && station !== allStations && station !== expediter;
  const [isSetting, setIsSetting] = useState(false);
  const { Loaded: StationForm } = useLoaded(loadStationForm, isSetting);
  function start(): void {
    device.start();
    void askKeptStorage();
    onStart();
  }
  return (
    <div class="shift slate">
      <main class="shift-choices">
        <p class="shift-brand">
          <strong>Comanda</strong> {messages().kitchenScreen}
        </p>
        <h1>{formatDate(known.now)}</h1>
        <ShiftChoices {...{ client, settings, stationSettings }} />
        <ScreenName device={device} />
        {maySet && (
          <button type="button" class="tool" onClick={() => setIsSetting(true)}>
            {shiftMessages().stationForm.open}
          </button>
        )}
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
          <h2>{messages().legendTitle}</h2>
          <Legend />
        </section>
      </main>
      <aside class="shift-checks">
        <div class="shift-head">
          <h2>{words.before}</h2>
          <AppMenu client={client} screen="board" />
        </div>
        <ShiftChecks {...known} {...{ device, stationSettings }} onTeach={() => setIsTeaching(true)} />
      </aside>
      {isSetting && maySet && StationForm && (
        <StationForm {...{ client, station }} settings={stationSettings} onClose={() => setIsSetting(false)} />
      )}
      {isTeaching && TeachKeys && <TeachKeys keys={device.keys} onClose={() => setIsTeaching(false)} />}
    </div>
  );
}

/** Stores what staff call this screen. Returns it as it is stored. */
function rename({ name }: Device, text: string): string {
  name.value = renamed(name.peek(), text);
  onDevice.name.write(name.peek());
  return calledOf(name.peek());
}
function ScreenName({ device }: { device: Device }) {
  // The page is rendered each second, which must not undo what they type.
  const [text, setText] = useState(() => calledOf(device.name.peek()));
  return (
    <label class="shift-name">
      {shiftMessages().shift.name}
      <input
        type="text"
        maxLength={40}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={({ currentTarget }) => setText(rename(device, currentTarget.value))}
      />
    </label>
  );
}
