import type { Client } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { oneOfEachKey } from '@comanda/contracts/text-key';
import type { ComponentChildren } from 'preact';
import { Icon } from '@comanda/ui/icon.tsx';
import { chooseLanguage, language } from '@comanda/ui/language.ts';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { zoomOf } from '@comanda/ui/zoom.ts';
import { configuredAt } from '../bumps/station-rules.ts';
import { allStations, expediter } from '../bumps/all-stations.ts';
import { stationKey } from '../bumps/ticket.ts';
import { bestColumns, fittingColumns, wallWidth } from '../device/columns.ts';
import type { Settings } from '../device/settings.ts';
import type { StationSettings } from '../device/station-settings.ts';
import { choose } from './choose.ts';
import { shiftMessages } from './messages.ts';
import './shift-choices.css';
import { stationName } from './station-name.ts';

type Props = { client: Client; settings: Settings; stationSettings: StationSettings };
/** The choices at the start of a shift: the station, the taps, the cards, the columns and the language. */
export function ShiftChoices({ client, settings, stationSettings }: Props) {
  const words = shiftMessages().shift;
  const { station, size, taps, whole } = settings;
  // Where a manager has set the taps, they are the same on all screens. An expediter only hands over.
  const mayChooseTaps = station.value !== expediter && !configuredAt(stationSettings.stations.value, station.value);
  const stations = useStations(client);
  const width = boardWidth(window.innerWidth / zoomOf(document.documentElement));
  const best = bestColumns(width);
  const fitting = fittingColumns(width);
  const columns = Math.min(settings.columns.value ?? best, fitting);
  return (
    <>
      <Choice label={words.station}>
        {stationChoices(stations ?? [], station.value).map((each) => (
          <Option
            key={each}
            isChosen={stationKey(station.value) === stationKey(each)}
            onChoose={() => choose(settings, 'station', each)}
          >
            {stationName(each)}
          </Option>
        ))}
        {stations === null && <p class="shift-hint">{words.stationsNotRead}</p>}
      </Choice>
      {mayChooseTaps && (
        <Choice label={shiftMessages().stationForm.taps}>
          {([2, 3] as const).map((each) => (
            <Option key={each} isChosen={taps.value === each} onChoose={() => choose(settings, 'taps', each)}>
              {shiftMessages().stationForm.tapsOf[each]}
            </Option>
          ))}
        </Choice>
      )}
      <Choice label={words.size}>
        {sizes.map((each) => (
          <Option key={each} isChosen={size.value === each} onChoose={() => choose(settings, 'size', each)}>
            {words.sizes[each]}
          </Option>
        ))}
      </Choice>
      <Choice label={words.full}>
        {(['no', 'yes'] as const).map((each) => (
          <Option key={each} isChosen={whole.value === each} onChoose={() => choose(settings, 'whole', each)}>
            {each === 'yes' ? words.keepWhole : words.divide}
          </Option>
        ))}
      </Choice>
      {fitting > 2 && (
        <Choice label={words.columns}>
          {[2, 3, 4, 5, 6]
            .filter((count) => count <= fitting)
            .map((count) => (
              <Option key={count} isChosen={columns === count} onChoose={() => choose(settings, 'columns', count)}>
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
    </>
  );
}

/** Returns the board's inner width in a window of this width, in pixels. board.css has the same margins. */
const boardWidth = (windowWidth: number): number =>
  windowWidth - 24 >= wallWidth ? windowWidth - 32 : windowWidth - 24;
const sizes = ['auto', 'large', 'dense'] as const;

/**
 * Returns the stations to select from, always including this device's current one, even if the menu doesn't contain it or can't
 * be loaded.
 */
const stationChoices = (stations: readonly string[], chosen: string): readonly string[] => {
  const all = [...stations, allStations, expediter];
  return all.some((each) => stationKey(each) === stationKey(chosen)) ? all : [chosen, ...all];
};

const kitchenFirst = (a: string, b: string): number =>
  Number(stationKey(b) === 'kitchen') - Number(stationKey(a) === 'kitchen') || a.localeCompare(b);

/** Returns the stations of the menu's dishes; null until the menu is loaded. */
function useStations(client: Client): readonly string[] | null {
  const { rows, state } = useCollection(client, menu);
  if (state.value === 'loading') return null;
  return oneOfEachKey(rows.value.map(({ station }) => station)).sort(kitchenFirst);
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
