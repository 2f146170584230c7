import { groupBy } from '@comanda/contracts/collections';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { dateOf, formatDate, formatTime } from '@comanda/ui/format.ts';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { hrefOf } from '../router.ts';
import { useAccount } from './account-context.ts';
import type { Account } from './accounts.ts';
import type { Entry } from './entries.ts';
import { accountMessages } from './messages.ts';
import './statement.css';

/** Returns the entry's title, such as a deposit, or the customer who sent or received the money. */
function titleOf({ kind, counterparty, amount }: Entry): string {
  const words = accountMessages();
  if (kind === 'account_deposit') return words.deposit;
  if (kind === 'bill_payment') return words.billPaid;
  if (kind === 'bill_refund') return words.billRefunded;
  const name = counterparty.owner_name ?? words.account(counterparty.account_id);
  return amount.startsWith('-') ? words.toName(name) : words.fromName(name);
}

function Row({ entry }: { entry: Entry }) {
  const words = accountMessages();
  const { shownMoney } = useAccount().accounts;
  const isOut = entry.amount.startsWith('-');
  const to = { page: 'account', part: 'receipt', id: entry.transfer_id } as const;
  const amount = shownMoney(entry.amount.replace('-', ''), entry.currency);
  const { kind, counterparty, description } = entry;
  return (
    <li>
      <a class="row wrap entry" href={hrefOf(to)}>
        <span class={classNames('centre entry-tile', !isOut && 'entry-tile-in')}>
          <LateIcon name={isOut ? 'arrowOut' : 'arrowIn'} />
        </span>
        <span class="stack entry-text">
          <span class="entry-party">{titleOf(entry)}</span>
          <span class="dim entry-detail">
            {kind === 'internal_transfer' && <span>{words.accountOf(counterparty.account_id)} · </span>}
            <span>{formatTime(entry.created_at)}</span>
          </span>
          {description !== null && <span class="dim entry-description">{description}</span>}
        </span>
        <span class="stack entry-amounts">
          <span class={classNames('entry-amount money', !isOut && 'entry-amount-in')} translate={false}>
            {isOut ? '−' : '+'}
            {amount}
          </span>
          <span class="dim money" translate={false}>
            <span class="visually-hidden">{words.balanceAfter} </span>
            {shownMoney(entry.balance, entry.currency)}
          </span>
        </span>
      </a>
    </li>
  );
}

/** Shows an account's entries by day, newest first. */
export function Statement({ account }: { account: Account }) {
  const words = accountMessages();
  const { entries, readOlder } = useAccount().accounts;
  const read = entries.value?.all.value;
  if (!read)
    return (
      <ul class="entries" aria-label={words.reading}>
        {[1, 2, 3, 4].map((each) => (
          <li key={each} class="entry-blank" />
        ))}
      </ul>
    );
  if (read.length === 0)
    return (
      <div class="edge stack gap-1 entries-empty">
        <h3>{words.noEntries}</h3>
        <p>{words.noEntriesHint(account.id)}</p>
      </div>
    );
  const days = [...groupBy(read, ({ created_at: at }) => dateOf(at))];
  return (
    <>
      {days.map(([day, ofDay], index) => (
        <section key={day} class="entries-day">
          <div class="wrap entries-head">
            <h3>{formatDate(ofDay[0]?.created_at ?? '')}</h3>
            {index === 0 && <span aria-hidden="true">{words.balanceAfter}</span>}
          </div>
          <ul class="entries">
            {ofDay.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {entries.value?.hasOlder.value && (
        <Button aria-disabled={entries.value.isReadingOlder.value} onClick={() => void readOlder()}>
          {entries.value.isReadingOlder.value ? words.reading : words.showOlder}
        </Button>
      )}
    </>
  );
}
