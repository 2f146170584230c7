import { textKey } from '@comanda/contracts/text-key';
import { AllDoneDrawing } from '@comanda/ui/drawings.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { optionText } from '@comanda/ui/options/option-text.ts';
import { useState } from 'preact/hooks';
import { isMissing } from '@comanda/ui/feed-state.ts';
import { formatAge } from '../bumps/ticket.ts';
import { LoadingRows } from '../loading/loading-rows.tsx';
import { Allergies } from './allergies.tsx';
import { CallsSection } from './calls-section.tsx';
import type { Line, Unseen, Waiting } from './by-table.ts';
import { FoldStrip } from './fold-strip.tsx';
import { lineMessages } from './line-messages.ts';
import { tableTitle, waiterMessages } from './messages.ts';
import './ready-page.css';
import { useSingleTaps } from './use-single-taps.ts';
import type { WaiterSession } from './waiter-session.ts';

const amberAfterMs = 180_000;

/** Shows alarms and calls, which take little space, then tables with ready dishes, then what the kitchen is still cooking. */
export function ReadyPage({ session }: { session: WaiterSession }) {
  const words = waiterMessages().ready;
  const waiting = session.waiting.value;
  const ready = waiting.filter((each) => each.ready.length > 0);
  const others = waiting.filter((each) => each.ready.length === 0);
  const onTap = useSingleTaps();
  return (
    <>
      <h1 class="visually-hidden">{words.title}</h1>
      <Alarms session={session} onTap={onTap} />
      <CallsSection session={session} isFolded={ready.length > 0} />
      {ready.length > 0 && (
        <div class="waiter-cards" onClickCapture={onTap}>
          {ready.map((each) => (
            <ReadyCard key={each.key} waiting={each} session={session} />
          ))}
        </div>
      )}
      {ready.length === 0 && <NothingReady session={session} />}
      {others.length > 0 && (
        <section class="waiter-others">
          <h2>{words.inKitchen}</h2>
          <ul>
            {others.map((each) => (
              <li key={each.key}>
                <strong>{tableTitle(each)}</strong>
                <Counts waiting={each} />
                <span class="waiter-others-age">{words.since(formatAge(session.now.value - each.oldestMs))}</span>
                <Allergies orders={each.orders} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Says that nothing is ready. If something may be missing, shows nothing, because the top of the screen says so. */
function NothingReady({ session }: { session: WaiterSession }) {
  const words = waiterMessages().ready;
  const state = session.feedState.value;
  const isRead = session.isRead.value;
  if (isMissing(state, isRead)) return null;
  if (!isRead) return <LoadingRows text={words.notRead} />;
  const title = <p class="waiter-empty-title">{words.empty}</p>;
  if (state.kind !== 'live') return <div class="waiter-empty">{title}</div>;
  return (
    <div class="waiter-empty">
      <AllDoneDrawing />
      {title}
      <p>{words.emptyHint}</p>
    </div>
  );
}

/** Shows orders that some station has not shown: one line above the ready dishes, which a tap expands. */
function Alarms({ session, onTap }: { session: WaiterSession; onTap: (event: MouseEvent) => void }) {
  const words = waiterMessages().alarm;
  const [isOpen, setIsOpen] = useState(false);
  const alarms = session.alarms.value;
  const oldestMs = Math.min(...alarms.map(({ order }) => Date.parse(order.created_at)));
  return (
    <div class="stack gap-3 waiter-alarms" role="alert" onClickCapture={onTap}>
      {alarms.length > 0 && (
        <FoldStrip
          icon="warning"
          kind="alarm"
          text={words.strip(alarms.length)}
          age={words.oldest(formatAge(session.now.value - oldestMs))}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
      )}
      {isOpen && alarms.map((unseen) => <Alarm key={unseen.order.id} {...unseen} session={session} />)}
    </div>
  );
}

function Alarm({ order, stations: unseen, session }: Unseen & { session: WaiterSession }) {
  const words = waiterMessages().alarm;
  const stations = unseen.map((station) => words.stations.get(textKey(station)) ?? station);
  const age = formatAge(session.now.value - Date.parse(order.created_at));
  return (
    <section class="edge on-alarm row wrap gap-3 waiter-alarm" aria-label={words.title(order.table, order.ticket)}>
      <Icon name="warning" size={32} />
      <div>
        <h2>{words.title(order.table, order.ticket)}</h2>
        {/* The age changes every second, so screen readers should not repeat it. */}
        <p aria-live="off">{words.unseen(stations, age)}</p>
        <Allergies orders={[order]} />
      </div>
      <button type="button" onClick={() => session.acknowledge(order.id)}>
        {words.acknowledge(stations)}
      </button>
    </section>
  );
}

function ReadyCard({ waiting, session }: { waiting: Waiting; session: WaiterSession }) {
  const words = waiterMessages().ready;
  const { ready, counts, readySinceMs } = waiting;
  const waitedMs = session.now.value - (readySinceMs ?? session.now.value);
  const isLong = waitedMs >= amberAfterMs;
  const name = tableTitle(waiting);
  const served = words.served(counts.ready);
  return (
    <article class={`card waiter-card ${isLong ? 'waiter-card-long' : ''}`} aria-label={name}>
      <header>
        <h2>{name}</h2>
        <span>
          <Icon name="check" size={22} />
          {(isLong ? words.readyWaiting : words.waiting)(formatAge(waitedMs))}
        </span>
      </header>
      <Allergies orders={waiting.orders} />
      <ul class="waiter-lines">
        {ready.map((line) => (
          <li key={line.item.id}>
            <ServeOne line={line} session={session} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="row gap-3 waiter-served"
        aria-label={`${served}, ${name}`}
        onClick={() => session.serve(ready)}
      >
        <Icon name="check" />
        {served}
      </button>
      {counts.all > counts.ready && <Counts waiting={waiting} />}
    </article>
  );
}

function ServeOne({ line, session }: { line: Line; session: WaiterSession }) {
  const { quantity, name, remarks, options, remake } = line.item;
  return (
    <button type="button" class="waiter-line" onClick={() => session.serve([line])}>
      <span class="visually-hidden">{waiterMessages().ready.serveOne}</span>{' '}
      <b class={quantity > 1 ? 'waiter-many' : undefined}>{quantity}</b>{' '}
      <span>
        <bdi>{name}</bdi>{' '}
        {options && options.length > 0 && <small>{options.map((each) => optionText(each, quantity)).join(', ')}</small>}
        {remarks !== '' && <mark>{remarks}</mark>}
        {remake && <mark>{lineMessages().remake.mark(remake.reason)}</mark>}
      </span>
      <i aria-hidden="true" />
    </button>
  );
}

function Counts({ waiting: { counts } }: { waiting: Waiting }) {
  return (
    <p class="row gap-2 waiter-counts">
      <Icon name={counts.cooking > 0 ? 'flame' : 'clock'} size={22} />
      {waiterMessages().ready.counts(counts.cooking, counts.notBegun)}
    </p>
  );
}
