import type { Answer } from '@comanda/client';
import { signal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatDate, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { messages } from '../messages.ts';
import { announce } from '../state/announce.ts';
import { client } from '../state/client.ts';
import { goBack, navigate } from '../state/route.ts';
import { AccountHead } from './account-head.tsx';
import { deviceOf } from './device.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import type { en } from './messages/en.ts';
import { PinState } from './pin-page.tsx';
import { pinState, pinTask } from './pin.ts';
import type { NewPin } from './pin.ts';
import './security-page.css';
import { signOut, signOutEverywhere } from './transfer.ts';

type SecurityEvent = Answer<'securityEvents'>[number];
const pageSize = 10;
const events = signal<readonly SecurityEvent[] | null>(null);
const eventsFailure = signal<unknown>(null);
const hasOlderEvents = signal(false);
let olderEvents: AsyncGenerator<readonly SecurityEvent[], void> | null = null;

/** Reads the newest events; those that were read before begin again with them. */
export async function readEvents(): Promise<void> {
  olderEvents = client.pages('securityEvents', { limit: pageSize });
  events.value = await nextEvents([]);
}
async function nextEvents(before: readonly SecurityEvent[]): Promise<readonly SecurityEvent[] | null> {
  try {
    const page = (await olderEvents?.next())?.value ?? [];
    hasOlderEvents.value = page.length === pageSize;
    eventsFailure.value = null;
    return [...before, ...page];
  } catch (error) {
    eventsFailure.value = error;
    return before.length > 0 ? before : events.peek();
  }
}
function forgetEvents(): void {
  events.value = null;
  olderEvents = null;
}

/** Somebody else may have done it. */
const worrying: ReadonlySet<string> = new Set([
  'sign_in_failed',
  'refresh_token_reused',
  'password_wrong',
  'password_set_by_manager',
  'transaction_password_wrong',
  'transaction_password_blocked',
  'transaction_password_reset_approved',
]);

function Events() {
  const words = accountMessages();
  const read = events.value;
  const failure = eventsFailure.value;
  useEffect(() => {
    void readEvents();
    return forgetEvents;
  }, []);
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.events}</h2>
      <p class="account-quiet">{words.eventsHint}</p>
      {failure !== null && (
        <ErrorPanel words={accountFailureWords(failure)}>
          <Button onClick={() => void readEvents()}>{words.readAgain}</Button>
        </ErrorPanel>
      )}
      {read === null && failure === null && <p class="account-quiet">{words.reading}</p>}
      {read?.length === 0 && <p class="account-quiet">{words.noEvents}</p>}
      <ul class="events">
        {read?.map(({ type, time, address, user_agent: agent }) => (
          <li key={`${time} ${type}`} class={classNames('event', worrying.has(type) && 'event-worrying')}>
            <span class="event-icon">
              <Icon name={worrying.has(type) ? 'warning' : 'check'} size={20} />
            </span>
            <span class="event-text">
              <span class="event-title">
                {words.eventTypes[type as keyof typeof en.eventTypes] ?? words.otherEvent}
              </span>
              <span class="account-quiet">
                {formatDate(time)}, {formatTime(time)}
              </span>
              <span class="account-quiet event-origin">
                {deviceOf(agent)} · {address}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {hasOlderEvents.value && (
        <Button onClick={() => void nextEvents(events.value ?? []).then((next) => (events.value = next))}>
          {words.olderEvents}
        </Button>
      )}
    </section>
  );
}

function Pin() {
  const words = accountMessages();
  const status = pinState.value?.status;
  const open = (task: NewPin['kind']): void => {
    pinTask.value = task;
    navigate({ page: 'account', part: 'pin' });
  };
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.pinTitle}</h2>
      <PinState />
      <div class="account-links">
        {status === 'absent' && (
          <Button kind="primary" onClick={() => open('create')}>
            {words.createPin}
          </Button>
        )}
        {status === 'usable' && <Button onClick={() => open('change')}>{words.changePin}</Button>}
        {status !== undefined && status !== 'absent' && <Button onClick={() => open('reset')}>{words.resetPin}</Button>}
      </div>
    </section>
  );
}

function PasswordChange() {
  const words = accountMessages();
  const ui = uiMessages();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState({ current: '', password: '' });
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const close = (): void => {
    setIsOpen(false);
    setTyped({ current: '', password: '' });
    setFailure(null);
  };
  async function change(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await client.calls.changePassword(typed);
      close();
      setIsChanged(true);
      announce(words.passwordChanged);
    } catch (error) {
      setFailure(accountFailureWords(error));
    }
    setIsBusy(false);
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) void change();
  };
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.password}</h2>
      {isChanged && (
        <p class="account-good">
          <Icon name="check" size={20} /> {words.passwordChanged}
        </p>
      )}
      <div class="account-links">
        <Button onClick={() => setIsOpen(true)}>{ui.changePassword}</Button>
      </div>
      <Dialog title={ui.changePassword} isOpen={isOpen} onClose={close}>
        <form class="form" aria-label={ui.changePassword} onSubmit={submit}>
          <p>{words.passwordHint}</p>
          {failure !== null && <ErrorPanel words={failure} />}
          <Field
            label={words.currentPassword}
            type="password"
            autocomplete="current-password"
            required
            value={typed.current}
            onInput={(current) => setTyped({ ...typed, current })}
          />
          <Field
            label={ui.newPassword}
            type="password"
            autocomplete="new-password"
            required
            hint={ui.newPasswordHint}
            value={typed.password}
            onInput={(password) => setTyped({ ...typed, password })}
          />
          <Button type="submit" kind="primary" aria-disabled={isBusy}>
            {ui.changePassword}
          </Button>
        </form>
      </Dialog>
    </section>
  );
}

function Sessions({ name }: { name: string }) {
  const words = accountMessages();
  const [isAsking, setIsAsking] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [failure, setFailure] = useState<FailureWords | null>(null);
  async function leaveEverywhere(): Promise<void> {
    setIsLeaving(true);
    setFailure(null);
    try {
      await signOutEverywhere();
    } catch (error) {
      setFailure(accountFailureWords(error));
      setIsAsking(false);
    }
    setIsLeaving(false);
  }
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.sessions}</h2>
      <p>{words.signedInAs(name)}</p>
      {failure !== null && <ErrorPanel words={failure} />}
      <div class="account-links">
        <Button
          icon={<Icon name="signOut" />}
          aria-disabled={isLeaving}
          onClick={() => {
            setIsLeaving(true);
            void signOut();
          }}
        >
          {isLeaving ? words.signingOut : words.signOut}
        </Button>
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          {words.signOutEverywhere}
        </Button>
      </div>
      <Dialog
        title={words.everywhereTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        footer={
          <>
            <Button kind="primary" aria-disabled={isLeaving} onClick={() => void leaveEverywhere()}>
              {isLeaving ? words.signingOut : words.everywhereYes}
            </Button>
            <Button onClick={() => setIsAsking(false)}>{words.everywhereNo}</Button>
          </>
        }
      >
        <p>{words.everywhereText}</p>
      </Dialog>
    </section>
  );
}

/** PIN, password, sessions, and what happened to them. */
export function SecurityPage({ name }: { name: string }) {
  const words = accountMessages();
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={() => goBack({ page: 'account' })} />
      <main class="page-main account-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{words.securityTitle}</h1>
        </div>
        <Pin />
        <PasswordChange />
        <Sessions name={name} />
        <Events />
      </main>
    </div>
  );
}
