import type { Client } from '@comanda/client/core';
import { useEffect, useState } from 'preact/hooks';
import { defaultStation } from '@comanda/contracts/rules';
import { formatDate } from '@comanda/ui/format.ts';
import { lazyModule, useLazy } from '@comanda/ui/lazy.tsx';
import { AppMenu } from '../app-menu/app-menu.tsx';
import { allStations, expediter } from '../bumps/all-stations.ts';
import type { Device } from '../device/device.ts';
import { askKeptStorage } from '../device/kept-storage.ts';
import type { StationSettings } from '../device/station-settings.ts';
import { messages } from '../messages.ts';
import { shiftMessages } from './messages.ts';
import { onDevice } from '../on-device.ts';
import { choose } from './choose.ts';
import { Legend } from './legend.tsx';
import { ShiftChecks, type Known } from './shift-checks.tsx';
import { ShiftChoices } from './shift-choices.tsx';
import '@comanda/ui/slate.css';
import { calledOf, renamed } from './screen-name.ts';
import './shift-start.css';

const teachKeys = lazyModule(() => import('./teach-keys.tsx'));
const stationForm = lazyModule(() => import('./station-form.tsx'));

type ShiftStartProps = Known & {
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
  const { TeachKeys } = useLazy(teachKeys, isTeaching) ?? {};
  const station = settings.station.value;
  const maySet = client.who()?.role === 'manager' && station !== allStations && station !== expediter;
  const [isSetting, setIsSetting] = useState(false);
  const { StationForm } = useLazy(stationForm, isSetting) ?? {};
  function start(): void {
    device.start();
    void askKeptStorage();
    onStart();
  }
  return (
    <div class="wrap shift slate">
      <main class="column gap-5 shift-choices">
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
        <div class="wrap gap-3 shift-go">
          <button type="button" class="shift-start" onClick={start}>
            {words.start}
          </button>
          <a class="column shift-waiter" href="#/waiter">
            {messages().menu.waiter}
            <small>{words.waiterHint}</small>
          </a>
        </div>
        <p class="shift-hint">{words.startHint}</p>
        <section class="dim shift-legend">
          <h2>{messages().legendTitle}</h2>
          <Legend />
        </section>
      </main>
      <aside class="column shift-checks">
        <div class="row wrap gap-2 shift-head">
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
    <label class="row wrap shift-name">
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
