import type { Answer, Client } from '@comanda/client/core';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from './button.tsx';
import { deviceName } from './device-name.ts';
import { ErrorPanel } from './error-panel.tsx';
import { failureWords } from './failure-words.ts';
import { formatDate, formatTime } from './format.ts';
import { sessionMessages } from './session-messages.ts';
import { settleMs } from './use-settled.ts';
import './session-list.css';

type Session = Answer<'listSessions'>[number];

function createSessions(client: Client) {
  /** All of the user's sessions, or null before they are fetched. */
  const all = signal<readonly Session[] | null>(null);
  const failure = signal<unknown>(null);
  const isBusy = signal(false);

  async function run(action: () => Promise<unknown>): Promise<void> {
    isBusy.value = true;
    failure.value = null;
    try {
      await action();
      all.value = await client.calls.listSessions();
    } catch (error) {
      failure.value = error;
    }
    // After a session was ended, another one may move under the user's finger. Without this delay, a double tap would end both.
    setTimeout(() => (isBusy.value = false), settleMs);
  }
  return {
    all,
    failure,
    isBusy,
    read: (): Promise<void> => run(async () => undefined),
    end: (id: string): Promise<void> => run(() => client.calls.endOneSession({ id })),
  };
}

/** Lists the user's sessions. The user can end each one except the session on this device, which ends with a sign-out. */
export function SessionList({ client }: { client: Client }) {
  const words = sessionMessages();
  const sessions = useMemo(() => createSessions(client), [client]);
  useEffect(() => void sessions.read(), [sessions]);
  const all = sessions.all.value;
  const failure = sessions.failure.value;
  const isBusy = sessions.isBusy.value;
  return (
    <>
      {failure !== null && (
        <ErrorPanel words={failureWords(failure)}>
          <Button onClick={() => void sessions.read()}>{words.readAgain}</Button>
        </ErrorPanel>
      )}
      {all === null && failure === null && <p>{words.reading}</p>}
      <ul class="session-list" aria-label={words.title}>
        {all?.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={isBusy} onEnd={() => void sessions.end(session.id)} />
        ))}
      </ul>
    </>
  );
}

type RowProps = { session: Session; isBusy: boolean; onEnd: () => void };

function SessionRow({ session, isBusy, onEnd }: RowProps) {
  const words = sessionMessages();
  const device = deviceName(session.user_agent);
  return (
    <li class="stack gap-2 session">
      <span class="session-name">{session.is_current ? `${words.here}: ${device}` : device}</span>
      <span class="session-text">
        <span>{words.signedIn(formatMoment(session.created_at))}</span>
        <span>{words.lastUse(formatMoment(session.last_used_at))}</span>
        <span>{session.address}</span>
        <span>{words.ends(formatMoment(session.ends_at))}</span>
      </span>
      {!session.is_current && (
        <Button aria-label={words.endOf(device)} aria-disabled={isBusy} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

const formatMoment = (at: string): string => `${formatDate(at)}, ${formatTime(at)}`;
