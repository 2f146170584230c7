import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatTenths } from '@comanda/ui/format.ts';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import { otherTimeZoneOfDevice } from '@comanda/ui/restaurant-time.ts';
import { rulesOf } from '../bumps/station-rules.ts';
import { formatAge, type Ticket } from '../bumps/ticket.ts';
import type { Device } from '../device/device.ts';
import { checkKeptStorage, keptStorage } from '../device/kept-storage.ts';
import type { Keys } from '../device/keys.ts';
import type { StationSettings } from '../device/station-settings.ts';
import { shiftMessages } from './messages.ts';
import { actionName } from './action-name.ts';
import './shift-checks.css';

/** The board's data that the checks need. */
export type Known = {
  /** The server's time in milliseconds. */
  now: number;
  clockOffsetMs: number;
  isLive: boolean;
  /** The open tickets, oldest first. */
  tickets: readonly Ticket[];
};

type ChecksProps = Known & { device: Device; stationSettings: StationSettings; onTeach: () => void };

/** Shows what may go wrong during the shift, such as muted sounds. */
export function ShiftChecks({ device, stationSettings, onTeach, ...known }: ChecksProps) {
  const words = shiftMessages().shift;
  const rules = rulesOf(stationSettings.rules.value, device.settings.station.value);
  return (
    <>
      <Connection {...known} />
      <Clock offMs={Math.abs(known.clockOffsetMs)} />
      <TimeZone now={known.now} />
      {device.awake.state.value === 'impossible' ? (
        <Check icon="warning" isWarning title={words.maySleep} hint={words.maySleepHint} />
      ) : (
        <Check icon="check" title={words.mayKeepAwake} hint={words.mayKeepAwakeHint} />
      )}
      <StorageCheck />
      <KeysCheck keys={device.keys} onTeach={onTeach} />
      <Check icon="clock" title={words.limits} hint={words.limitsHint(rules.amber_minutes, rules.late_minutes)} />
    </>
  );
}

type CheckProps = { icon: IconName; title: string; hint: string; isWarning?: boolean; children?: ComponentChildren };
const Check = ({ icon, title, hint, isWarning, children }: CheckProps) => (
  <div class={isWarning ? 'shift-check shift-check-warning' : 'shift-check'}>
    <span>
      <Icon name={icon} />
    </span>
    <div>
      <strong>{title}</strong>
      <p>{hint}</p>
      {children}
    </div>
  </div>
);

function Connection({ isLive, tickets, now }: Known) {
  const words = shiftMessages().shift;
  if (!isLive) return <Check icon="noNetwork" isWarning title={words.notConnected} hint={words.waitingForServer} />;
  const oldest = tickets[0] && words.oldest(formatAge(now - tickets[0].createdAtMs));
  return (
    <Check
      icon="check"
      title={words.connected}
      hint={[words.openOrders(tickets.length), oldest].filter(Boolean).join(', ')}
    />
  );
}

function Clock({ offMs }: { offMs: number }) {
  const words = shiftMessages().shift;
  const hint = words.clockOff(formatTenths(offMs / 1_000));
  return offMs > 5_000 ? (
    <Check icon="warning" isWarning title={words.clockWrong} hint={hint} />
  ) : (
    <Check icon="check" title={words.clockAgrees} hint={hint} />
  );
}

function StorageCheck() {
  const words = shiftMessages().shift;
  useEffect(() => void checkKeptStorage(), []);
  if (keptStorage.value !== 'may_go') return null;
  return <Check icon="minus" title={words.settingsMayGo} hint={words.settingsMayGoHint} />;
}

/** Warns if the device's time zone has another time than the restaurant's. */
function TimeZone({ now }: { now: number }) {
  const words = shiftMessages().shift;
  const zone = otherTimeZoneOfDevice(now);
  return zone !== null && <Check icon="warning" isWarning title={words.otherZone(zone)} hint={words.otherZoneHint} />;
}

/** Lets staff test a bump bar: shows what each key does when it is pressed. */
function KeysCheck({ keys, onTeach }: { keys: Keys; onTeach: () => void }) {
  const words = shiftMessages().shift;
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => setKey(event.key);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const action = key === null ? undefined : keys.actionOf(key);
  const hint =
    key === null
      ? words.keysHint
      : action
        ? words.keyDoes(nameOfKey(key), actionName(action))
        : words.keyUnknown(nameOfKey(key));
  return (
    <Check icon={action ? 'check' : 'minus'} title={words.keys} hint={hint}>
      <button type="button" class="tool" onClick={onTeach}>
        {words.teach}
      </button>
    </Check>
  );
}

const nameOfKey = (key: string): string => (key === ' ' ? shiftMessages().shift.space : key);
