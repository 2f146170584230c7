import { pinBlockMinutes } from '@comanda/contracts/rules';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import './blocked.css';
import { accountMessages } from './messages.ts';
import { partsOf } from './transfer-notices.tsx';

const blockMs = pinBlockMinutes * 60_000;

function Countdown({ until }: { until: string }) {
  const words = accountMessages();
  const { client } = useAccount();
  const [now, setNow] = useState(client.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(client.now), 500);
    return () => clearInterval(timer);
  }, [client]);
  // The device's clock may be some seconds slow until the feed has told the time.
  const leftMs = Math.min(blockMs, Math.max(0, Date.parse(until) - now));
  const seconds = Math.ceil(leftMs / 1000);
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div class="countdown">
      <p role="timer">
        <span class="spoken">{words.timeLeftSpoken(Math.ceil(seconds / 60))}</span>
        <span class="countdown-time" aria-hidden="true">
          {shown}
        </span>
        <span class="countdown-unit" aria-hidden="true">
          {words.timeLeft}
        </span>
      </p>
      <div class="countdown-bar" aria-hidden="true">
        <div style={{ width: `${100 - (leftMs / blockMs) * 100}%` }} />
      </div>
    </div>
  );
}

type BlockedPageProps = {
  /** Null: only a reset ends the block. */ until: string | null;
  back: string;
  onBack: () => void;
};

/** A blocked PIN: until when, what was not sent, what still works, and the way to a new PIN. */
export function BlockedPage({ until, back, onBack }: BlockedPageProps) {
  const words = accountMessages();
  const { pin, transfers } = useAccount();
  const { navigate } = useRouter();
  const unsent = transfers.notSent.value;
  const table = useGuest().seat.table.value;
  const [ordering = '', ...others] = words.works;
  const works = [table === null ? ordering : words.worksAt(table), ...others];
  return (
    <div class="page">
      <AccountHead back={back} onBack={onBack} />
      <main class="page-main account-main">
        <span class="account-symbol account-symbol-bad">
          <Icon name="lock" size={32} />
        </span>
        <div role="alert">
          <h1 class="account-h1" tabIndex={-1}>
            {until === null ? words.blockedForGood : words.blockedUntil(formatTime(until))}
          </h1>
          <p class="account-quiet">{until === null ? words.blockedForGoodWhy : words.blockedWhy}</p>
        </div>
        {until !== null && <Countdown until={until} />}
        {unsent && (
          <p>
            <strong>{words.notSent(...partsOf(unsent))}</strong>
            <br />
            <span class="account-quiet">{words.moneyStays}</span>
          </p>
        )}
        <section>
          <h2 class="account-h2">{words.stillWorks}</h2>
          <ul class="still-works">
            {works.map((each) => (
              <li key={each}>
                <Icon name="check" /> {each}
              </li>
            ))}
          </ul>
        </section>
      </main>
      <footer class="dock">
        <p class="account-quiet">{words.forgotHint}</p>
        <Button
          onClick={() => {
            pin.choose('reset');
            navigate({ page: 'account', part: 'pin' });
          }}
        >
          {words.setNewPin}
        </Button>
      </footer>
    </div>
  );
}
