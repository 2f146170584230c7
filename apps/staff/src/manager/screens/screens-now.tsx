import type { Answer, Client } from '@comanda/client/core';
import { textKey } from '@comanda/contracts/text-key';
import { buildId } from '@comanda/ui/web-app/build-id.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../../messages.ts';
import { Failure } from '../failure.tsx';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import { managerMessages } from '../messages.ts';
import { useFresh } from '../use-fresh.ts';
import './screens-now.css';

type Screen = Answer<'listScreens'>[number];
const readEveryMs = 10_000;

/** Shows which kitchen screens are on, and what is wrong with them. */
export function ScreensNow({ client }: { client: Client }) {
  const words = managerMessages().screens;
  const { value: screens, failure } = useFresh(() => client.calls.listScreens({}, { repeat: 'never' }), readEveryMs);
  if (failure !== null && screens === null) return <Failure of={failure} />;
  if (screens === null) return <LoadingRows />;
  if (screens.length === 0) return <p>{words.noneOn}</p>;
  return (
    <ul class="screens-now">
      {screens.map((screen) => (
        <ScreenCard key={screen.screen} screen={screen} now={client.now()} />
      ))}
    </ul>
  );
}

function ScreenCard({ screen, now }: { screen: Screen; now: number }) {
  const words = managerMessages().screens;
  const { screen: name, on, reported_by: by, reported_at: at } = screen;
  const isOfToday = now - Date.parse(at) < 12 * 3600_000;
  const heard = isOfToday ? formatTime(at) : `${formatDay(at)}, ${formatTime(at)}`;
  const troubles = on ? troublesOf(screen) : [];
  return (
    <li>
      <article
        class={classNames(
          'card stack gap-1 screen-now',
          !on && 'screen-now-off',
          troubles.length > 0 && 'screen-now-troubled',
        )}
        aria-label={name}
      >
        <h2>{name}</h2>
        <p class="screen-now-state">{on ? words.on : words.offSince(heard)}</p>
        <p>
          <bdi>{stationOf(screen)}</bdi>, <bdi>{by.name}</bdi>
        </p>
        {troubles.map((trouble) => (
          <p key={trouble} class="manager-warning">
            <Icon name="warning" size={20} /> {trouble}
          </p>
        ))}
      </article>
    </li>
  );
}

function stationOf({ shows, station }: Screen): string {
  const words = messages().stations;
  if (shows === 'expediter') return words.expediter;
  return station === null ? words.all : (words.names.get(textKey(station)) ?? station);
}

/** Returns the screen's problems that someone should check. */
function troublesOf({ live, sound, display, build }: Screen): string[] {
  const words = managerMessages().screens;
  const own = buildId();
  return [
    ...(live ? [] : [words.notLive]),
    ...(sound === 'on' ? [] : [sound === 'off' ? words.soundOff : words.soundBlocked]),
    ...(display === 'may_sleep' ? [words.maySleep] : []),
    ...(own !== '' && build !== null && build !== own ? [words.otherBuild] : []),
  ];
}
