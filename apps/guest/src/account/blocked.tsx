import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import './blocked.css';
import { Countdown } from './countdown.tsx';
import { accountMessages } from './messages.ts';
import { partsOf } from './transfer-notices.tsx';

type BlockedPageProps = {
  /** When the PIN block ends, as an ISO time; null if only a reset ends it. */ until: string | null;
  back: string;
  onBack: () => void;
};

/** Explains a blocked PIN: until when, what was not sent, what still works, and how to get a new PIN. */
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
          <LateIcon name="lock" size={32} />
        </span>
        <div role="alert">
          <h1 class="account-h1" tabIndex={-1}>
            {until === null ? words.blockedForGood : words.blockedUntil(formatTime(until))}
          </h1>
          <p class="dim account-quiet">{until === null ? words.blockedForGoodWhy : words.blockedWhy}</p>
        </div>
        {until !== null && <Countdown until={until} />}
        {unsent && (
          <p>
            <strong>{accountMessages().settled.not_done(...partsOf(unsent))}</strong>
            <br />
            <span class="dim account-quiet">{words.moneyStays}</span>
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
        <p class="dim account-quiet">{words.forgotHint}</p>
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
