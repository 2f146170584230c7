import type { Client } from '@comanda/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatDate, formatTenths } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import type { IconName } from '@comanda/ui/icon.tsx';
import { chooseLanguage, language } from '@comanda/ui/language.ts';
import { AppMenu } from '../app-menu.tsx';
import type { BoardSession } from '../board/board-session.ts';
import { stationName } from '../board/station-name.ts';
import { awake, keepAwake } from '../device/keep-awake.ts';
import { actionOf } from '../device/keys.ts';
import { playAllSounds } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import { allStations, defaultAgeLimits, formatAge } from '../model/ticket.ts';
import {
  bestColumns,
  boardWidth,
  fittingColumns,
  chooseColumns,
  chooseStation,
  chosenColumns,
  station,
} from '../settings.ts';
import { actionName } from './action-name.ts';
import { Legend } from './legend.tsx';
import { TeachKeys } from './teach-keys.tsx';
import './shift-start.css';

type Props = { client: Client; session: BoardSession; onStart: () => void };

/** Station, columns, language, and what may go wrong: before the shift, not in it. */
export function ShiftStart({ client, session, onStart }: Props) {
  const words = messages().shift;
  const stations = useStations(client);
  const [isTeaching, setIsTeaching] = useState(false);
  const width = boardWidth(window.innerWidth);
  const best = bestColumns(width);
  const fitting = fittingColumns(width);
  const columns = Math.min(chosenColumns.value ?? best, fitting);

  function start(): void {
    void playAllSounds();
    void keepAwake();
    // Refused in a frame, or where there is no full screen, as on a telephone: the board then fills the window.
    document.documentElement.requestFullscreen?.().catch(() => {});
    onStart();
  }
  return (
    <div class="shift">
      <main class="shift-choices">
        <p class="shift-brand">
          <strong>Comanda</strong> {messages().kitchenScreen}
        </p>
        <h1>{formatDate(session.now.value)}</h1>
        <Choice label={words.station}>
          {[...stations, allStations].map((each) => (
            <Option key={each} isChosen={station.value === each} onChoose={() => chooseStation(each)}>
              {each === allStations ? words.allStations : stationName(each)}
            </Option>
          ))}
        </Choice>
        {fitting > 2 && (
          <Choice label={words.columns}>
            {[2, 3, 4, 5, 6]
              .filter((count) => count <= fitting)
              .map((count) => (
                <Option key={count} isChosen={columns === count} onChoose={() => chooseColumns(count)}>
                  {count === best ? words.bestHere(count) : count}
                </Option>
              ))}
          </Choice>
        )}
        <Choice label={words.language}>
          <Option isChosen={language.value === 'en'} lang="en" onChoose={() => chooseLanguage('en')}>
            English
          </Option>
          <Option isChosen={language.value === 'pt-BR'} lang="pt-BR" onChoose={() => chooseLanguage('pt-BR')}>
            Português
          </Option>
        </Choice>
        <div class="shift-go">
          <button type="button" class="shift-start" onClick={start}>
            {words.start}
          </button>
          <a class="shift-waiter" href="#/waiter">
            {messages().menu.waiter}
            <small>{words.waiterHint}</small>
          </a>
        </div>
        <p class="shift-hint">{words.startHint}</p>
        <section class="shift-legend">
          <h2>{messages().legend.title}</h2>
          <Legend />
        </section>
      </main>
      <aside class="shift-checks">
        <div class="shift-head">
          <h2>{words.before}</h2>
          <AppMenu client={client} />
        </div>
        <Connection session={session} />
        <Clock session={session} />
        {awake.value === 'impossible' ? (
          <Check icon="warning" isWarning title={words.maySleep} hint={words.maySleepHint} />
        ) : (
          <Check icon="check" title={words.mayKeepAwake} hint={words.mayKeepAwakeHint} />
        )}
        <Keys onTeach={() => setIsTeaching(true)} />
        <Check
          icon="clock"
          title={words.limits}
          hint={words.limitsHint(defaultAgeLimits.amberMs / 60_000, defaultAgeLimits.lateMs / 60_000)}
        />
      </aside>
      {isTeaching && <TeachKeys onClose={() => setIsTeaching(false)} />}
    </div>
  );
}

const kitchenFirst = (a: string, b: string): number =>
  Number(b === 'kitchen') - Number(a === 'kitchen') || a.localeCompare(b);

/** The stations that the menu names. */
function useStations(client: Client): readonly string[] {
  const [stations, setStations] = useState<readonly string[]>([]);
  useEffect(() => {
    const live = client.liveMenu({
      onChange: (items) => setStations([...new Set(items.map((item) => item.station))].toSorted(kitchenFirst)),
    });
    return live.close;
  }, [client]);
  return stations;
}

const Choice = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <fieldset class="shift-choice">
    <legend>{label}</legend>
    <div>{children}</div>
  </fieldset>
);

type OptionProps = { isChosen: boolean; onChoose: () => void; lang?: string; children: ComponentChildren };
const Option = ({ isChosen, onChoose, lang, children }: OptionProps) => (
  <button type="button" aria-pressed={isChosen} {...(lang !== undefined && { lang })} onClick={onChoose}>
    {isChosen && <Icon name="check" />}
    {children}
  </button>
);

type CheckProps = { icon: IconName; title: string; hint: string; isWarning?: boolean; children?: ComponentChildren };
const Check = ({ icon, title, hint, isWarning, children }: CheckProps) => (
  <div class={isWarning ? 'shift-check shift-check-warning' : 'shift-check'}>
    <span>
      <Icon name={icon} />
    </span>
    <div>
      <strong>{title}</strong>
      <p>{hint}</p>
      {children}
    </div>
  </div>
);

function Connection({ session }: { session: BoardSession }) {
  const words = messages().shift;
  const isLive = session.feedState.value.kind === 'live';
  const cards = session.board.cards.value;
  if (!isLive) return <Check icon="noNetwork" isWarning title={words.notConnected} hint={words.waitingForServer} />;
  const oldest = cards[0] && words.oldest(formatAge(session.now.value - cards[0].ticket.createdAtMs));
  return (
    <Check
      icon="check"
      title={words.connected}
      hint={[words.openOrders(cards.length), oldest].filter(Boolean).join(', ')}
    />
  );
}

function Clock({ session }: { session: BoardSession }) {
  const words = messages().shift;
  const offSeconds = Math.abs(session.clockOffsetMs.value) / 1_000;
  const hint = words.clockOff(formatTenths(offSeconds));
  return offSeconds > 5 ? (
    <Check icon="warning" isWarning title={words.clockWrong} hint={hint} />
  ) : (
    <Check icon="check" title={words.clockAgrees} hint={hint} />
  );
}

/** What a key of the bump bar does, as soon as it is pressed. */
function Keys({ onTeach }: { onTeach: () => void }) {
  const words = messages().shift;
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => setKey(event.key);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const action = key === null ? undefined : actionOf(key);
  const hint =
    key === null
      ? words.keysHint
      : action
        ? words.keyDoes(nameOfKey(key), actionName(action))
        : words.keyUnknown(nameOfKey(key));
  return (
    <Check icon={action ? 'check' : 'minus'} title={words.keys} hint={hint}>
      <button type="button" class="tool" onClick={onTeach}>
        {words.teach}
      </button>
    </Check>
  );
}

const nameOfKey = (key: string): string => (key === ' ' ? messages().shift.space : key);
