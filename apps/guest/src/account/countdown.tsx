import { pinBlockMinutes } from '@comanda/contracts/rules';
import { openClock } from '@comanda/ui/clock.ts';
import { useMemo } from 'preact/hooks';
import { useGuest } from '../contexts.ts';
import './countdown.css';
import { accountMessages } from './messages.ts';

const blockMs = pinBlockMinutes * 60_000;

/** Shows how many minutes remain until a PIN block ends. */
export function Countdown({ until }: { until: string }) {
  const words = accountMessages();
  const { client } = useGuest();
  const now = useMemo(() => openClock(client), [client]).value;
  // Until the feed has sent the server's time, this uses the device's clock, which may be a few seconds slow.
  const leftMs = Math.min(blockMs, Math.max(0, Date.parse(until) - now));
  const seconds = Math.ceil(leftMs / 1000);
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div class="card countdown">
      <p role="timer">
        <span class="visually-hidden">{words.timeLeftSpoken(Math.ceil(seconds / 60))}</span>
        <span class="countdown-time" aria-hidden="true">
          {shown}
        </span>
        <span class="dim countdown-unit" aria-hidden="true">
          {words.timeLeft}
        </span>
      </p>
      <div class="edge countdown-bar" aria-hidden="true">
        <div style={{ width: `${100 - (leftMs / blockMs) * 100}%` }} />
      </div>
    </div>
  );
}
