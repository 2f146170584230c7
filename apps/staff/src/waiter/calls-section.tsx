import { CallFailure } from '@comanda/client/core';
import type { CallStatus, TableCall } from '@comanda/contracts/calls';
import { isCutOff } from '@comanda/ui/feed-state.ts';
import { useState } from 'preact/hooks';
import { formatAge } from '../bumps/ticket.ts';
import { callMessages, wishOf } from '../calls/messages.ts';
import './calls.css';
import { FoldStrip } from './fold-strip.tsx';
import { tableOfCall } from './table-filter.ts';
import { waiterMessages } from './messages.ts';
import type { WaiterSession } from './waiter-session.ts';

type CallsSectionProps = {
  session: WaiterSession;
  /** True to fold all calls but the first into one line, so that the page's other content stays in view. */
  isFolded: boolean;
};

/** Lists the tables that need a waiter, the longest waiting first. */
export function CallsSection({ session, isFolded }: CallsSectionProps) {
  const waiting = session.calls.waiting.value;
  const [trouble, setTrouble] = useState<'taken' | 'failed' | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const folded = isFolded && waiting.length > 2 ? waiting.slice(1) : [];
  // Without a network, the line about the feed already says enough.
  const isUnread = session.calls.failure.value !== null && !isCutOff(session.feedState.value);
  if (waiting.length === 0 && trouble === null && !isUnread) return null;
  const set = (call: TableCall, status: CallStatus): void => {
    setTrouble(null);
    session.calls.set(call, status).catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error;
      setTrouble(error.code === 'illegal_transition' ? 'taken' : 'failed');
    });
  };
  const card = (call: TableCall) => <CallCard key={call.id} call={call} session={session} set={set} />;
  return (
    <section class="waiter-calls" aria-label={callMessages().title}>
      {isUnread && (
        <p class="waiter-call-trouble" role="alert">
          {callMessages().notRead}
        </p>
      )}
      {trouble !== null && (
        <p class="waiter-call-trouble" role="alert">
          {callMessages()[trouble]}
        </p>
      )}
      {waiting.slice(0, waiting.length - folded.length).map(card)}
      {folded[0] && (
        <FoldStrip
          icon="bell"
          kind="call"
          text={callMessages().others(folded.length)}
          age={callMessages().oldest(formatAge(session.now.value - Date.parse(folded[0].created_at)))}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
      )}
      {isOpen && folded.map(card)}
    </section>
  );
}

type CallCardProps = { call: TableCall; session: WaiterSession; set: (call: TableCall, status: CallStatus) => void };
function CallCard({ call, session, set }: CallCardProps) {
  const words = callMessages();
  const isMine = call.taken_by?.id === session.userId;
  const name = tableOfCall(session, call);
  const table = name === null ? words.noTable : waiterMessages().table(name);
  return (
    <article class={`waiter-call waiter-call-${call.status}`} aria-label={words.label(name, call.kind)}>
      <h2>
        {table} {wishOf(call)}
      </h2>
      <span class="waiter-call-age">{formatAge(session.now.value - Date.parse(call.created_at))}</span>
      {call.note !== null && <p class="waiter-call-note">{call.note}</p>}
      {call.taken_by !== null && <p class="waiter-call-taker">{isMine ? words.youGo : words.colleagueGoes}</p>}
      <div class="waiter-call-buttons">
        {call.status === 'open' && (
          <button type="button" onClick={() => set(call, 'taken')}>
            {words.go}
          </button>
        )}
        {isMine && (
          <>
            <button type="button" onClick={() => set(call, 'done')}>
              {words.done}
            </button>
            <button type="button" class="waiter-call-back" onClick={() => set(call, 'open')}>
              {words.giveBack}
            </button>
          </>
        )}
      </div>
    </article>
  );
}
