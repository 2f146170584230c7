import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { deviceName } from '@comanda/ui/device-name.ts';
import { formatDate, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAccount } from './account-context.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import type { en } from './messages/en.ts';
import { createEvents, type SecurityEvent } from './read-security-events.ts';
import './security-events.css';

/** The kinds of events that another person may have caused, and that the user should check. */
const worrying: ReadonlySet<string> = new Set([
  'sign_in_failed',
  'refresh_token_reused',
  'password_wrong',
  'password_set_by_manager',
  'transaction_password_wrong',
  'transaction_password_blocked',
  'transaction_password_reset_approved',
]);

const noDetails: Readonly<Record<string, unknown>> = {};
/** Returns what the PIN was entered for; null if that isn't known. */
function purposeOf({ endpoint_key: key, authorization_details: details }: SecurityEvent): string | null {
  const { purposes } = accountMessages();
  const { type, amount, currency, to_account_id: payee, account_id: account } = details?.[0] ?? noDetails;
  if (typeof amount === 'string' && typeof currency === 'string') {
    const sum = formatMoney(amount, currency);
    if (type === 'bill_payment') return purposes.billPayment(sum);
    if (type === 'bill_refund') return purposes.billRefund(sum);
    if (typeof payee === 'number') return purposes.transfer(sum, payee);
    if (typeof account === 'number') return purposes.deposit(sum, account);
  }
  if (key === undefined) return null;
  return purposes.byKey[key as keyof typeof en.purposes.byKey] ?? key;
}

function Event({ event }: { event: SecurityEvent }) {
  const { type, time, address, user_agent: agent } = event;
  const purpose = purposeOf(event);
  const words = accountMessages();
  const isWorrying = worrying.has(type);
  return (
    <li class={classNames('wrap gap-3 event', isWorrying && 'event-worrying')}>
      <span class="centre event-icon">
        <Icon name={isWorrying ? 'warning' : 'check'} size={20} />
      </span>
      <span class="stack event-text">
        <span class="event-title">{words.eventTypes[type as keyof typeof en.eventTypes] ?? words.otherEvent}</span>
        {purpose !== null && <span>{purpose}</span>}
        <span class="dim account-quiet">
          {formatDate(time)}, {formatTime(time)}
        </span>
        {type !== 'step_up_spent' && (
          <span class="dim account-quiet event-origin">
            {deviceName(agent)} · {address}
          </span>
        )}
      </span>
    </li>
  );
}

/** Shows what happened to this user's sign-ins, password and PIN. */
export function SecurityEvents() {
  const words = accountMessages();
  const { client, securityNews } = useAccount();
  const events = useMemo(() => createEvents(client), [client]);
  const news = securityNews.value;
  useEffect(() => void events.readNewest(), [events, news]);
  const read = events.all.value;
  const failure = events.failure.value;
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.events}</h2>
      <p class="dim account-quiet">{words.eventsHint}</p>
      {failure !== null && (
        <ErrorPanel words={accountFailureWords(failure)}>
          <Button onClick={() => void events.readNewest()}>{words.readAgain}</Button>
        </ErrorPanel>
      )}
      {read === null && failure === null && <p class="dim account-quiet">{words.reading}</p>}
      {read?.length === 0 && <p class="dim account-quiet">{words.noEvents}</p>}
      <ul class="events">
        {read?.map((event) => (
          <Event key={`${event.time} ${event.type} ${event.jti}`} event={event} />
        ))}
      </ul>
      {events.hasOlder.value && <Button onClick={() => void events.readOlder()}>{words.olderEvents}</Button>}
    </section>
  );
}
