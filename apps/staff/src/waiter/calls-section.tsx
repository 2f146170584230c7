import { CallFailure } from '@comanda/client/core';
import type { CallStatus, TableCall } from '@comanda/contracts/calls';
import { classNames } from '@comanda/ui/class-names.ts';
import { isCutOff } from '@comanda/ui/feed-state.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { useState } from 'preact/hooks';
import { formatAge } from '../bumps/ticket.ts';
import { callMessages, wishWithAmountOf } from '../calls/messages.ts';
import './calls.css';
import { FoldStrip } from './fold-strip.tsx';
import { tableOfCall } from './table-filter.ts';
import { billWords } from './bill/messages.ts';
import { onlyBillOf, paymentFor } from './payment-link.ts';
import { useSettling } from './use-settling.ts';
import type { WaiterSession } from './waiter-session.ts';

type CallsSectionProps = {
  session: WaiterSession;
  /** True to show several calls of colleagues in one line, so that what is below stays in view. */
  isFolded: boolean;
};

/** Lists the calls that no waiter has taken, the longest waiting first, then the waiter's own, then those of colleagues. */
export function CallsSection({ session, isFolded }: CallsSectionProps) {
  const waiting = session.calls.waiting.value;
  const [trouble, setTrouble] = useState<'taken' | 'failed' | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const untaken = waiting.filter(({ status }) => status === 'open');
  const own = waiting.filter(({ status, taken_by: by }) => status !== 'open' && by?.id === session.userId);
  const others = waiting.filter((call) => !untaken.includes(call) && !own.includes(call));
  const folded = isFolded && others.length > 1 ? others : [];
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
  return (
    <section class="waiter-calls" aria-label={callMessages().title}>
      {isUnread && (
        <p class="on-alarm waiter-call-trouble" role="alert">
          {callMessages().notRead}
        </p>
      )}
      {trouble !== null && (
        <p class="on-alarm waiter-call-trouble" role="alert">
          {callMessages()[trouble]}
        </p>
      )}
      {untaken.map((call) => (
        <OpenCall key={call.id} call={call} session={session} set={set} />
      ))}
      {own.map((call) => (
        <OwnCall key={call.id} call={call} session={session} set={set} />
      ))}
      {folded[0] && (
        <FoldStrip
          icon="bell"
          kind="taken"
          text={callMessages().colleagues(folded.length)}
          age={callMessages().oldest(ageOf(folded[0], session))}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
      )}
      {(isOpen || folded.length === 0) &&
        others.map((call) => <ColleaguesCall key={call.id} call={call} session={session} />)}
    </section>
  );
}

type CallProps = { call: TableCall; session: WaiterSession };
type OwnCallProps = CallProps & { set: (call: TableCall, status: CallStatus) => void };

const ageOf = (call: TableCall, session: WaiterSession): string =>
  formatAge(session.now.value - Date.parse(call.created_at));
/** The name of the call, for screen readers. */
const labelOf = (call: TableCall, session: WaiterSession): string =>
  callMessages().label(tableOfCall(session, call), call.kind);
/** Who needs what, such as `Table 12 wants to pay R$ 52.10 by card`. */
function titleOf(call: TableCall, session: WaiterSession): string {
  const name = tableOfCall(session, call);
  const who = name === null ? callMessages().noTable : uiMessages().tableOf(name);
  return `${who} ${wishWithAmountOf(call, onlyBillOf(session, call.seating)?.currency)}`;
}

/** A call that no waiter has taken. */
const OpenCall = ({ call, session, set }: OwnCallProps) => (
  <article class="edge on-amber row wrap waiter-call waiter-call-open" aria-label={labelOf(call, session)}>
    <div class="waiter-call-what">
      <h2>{titleOf(call, session)}</h2>
      <span class="waiter-call-age">{ageOf(call, session)}</span>
      {call.note !== null && <p class="waiter-call-note">{call.note}</p>}
    </div>
    <div class="waiter-call-buttons">
      <button type="button" onClick={() => set(call, 'taken')}>
        {callMessages().go}
      </button>
    </div>
  </article>
);

/**
 * A call that this waiter has taken, in one line. A tap shows the note, and a way to give it back. Guests who want to pay are done
 * once their bill is closed, so the line leads to their payment. A double tap on “I'll go” doesn't reach what appears in its place.
 */
function OwnCall({ call, session, set }: OwnCallProps) {
  const words = callMessages();
  const payment = paymentFor(session, call);
  const className = classNames('edge on-ink waiter-call-done', useSettling());
  const done = (
    <button type="button" class={className} onClick={() => set(call, 'done')}>
      {words.done}
    </button>
  );
  const [isOpen, setIsOpen] = useState(false);
  return (
    <article class="edge on-amber row wrap waiter-call waiter-call-own" aria-label={labelOf(call, session)}>
      <button
        type="button"
        class="row gap-2 waiter-call-line"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span class="waiter-call-text">
          <b>{titleOf(call, session)}</b> <span class="dim">· {words.youGo}</span>
        </span>
        <span class="waiter-call-age" aria-live="off">
          {ageOf(call, session)}
        </span>
      </button>
      {payment ? (
        <a class={className} href={payment.href}>
          {billWords().record}
        </a>
      ) : (
        done
      )}
      {isOpen && (
        <div class="stack gap-2 waiter-call-more">
          {call.note !== null && <p class="waiter-call-note">{call.note}</p>}
          <button type="button" class="edge waiter-call-back" onClick={() => set(call, 'open')}>
            {words.giveBack}
          </button>
          {payment && done}
        </div>
      )}
    </article>
  );
}

/** A call that a colleague has taken, in one line. */
const ColleaguesCall = ({ call, session }: CallProps) => (
  <article class="edge on-amber row wrap waiter-call waiter-call-own" aria-label={labelOf(call, session)}>
    <p class="row gap-2 waiter-call-line">
      <span class="waiter-call-text">
        {titleOf(call, session)} <span class="dim">· {callMessages().colleagueGoes}</span>
      </span>
      <span class="waiter-call-age">{ageOf(call, session)}</span>
    </p>
  </article>
);
