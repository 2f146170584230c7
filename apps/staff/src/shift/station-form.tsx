import type { Client, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import type { Station } from '@comanda/contracts/stations';
import { textKey } from '@comanda/contracts/text-key';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { rulesOf } from '../bumps/station-rules.ts';
import type { StationSettings } from '../device/station-settings.ts';
import { shiftMessages } from './messages.ts';
import { isOlderService, saveStation } from './save-station.ts';
import './station-form.css';
import { stationName } from './station-name.ts';

type StationFormProps = { client: Client; settings: StationSettings; station: string; onClose: () => void };
type Limits = Pick<Station, 'amber_minutes' | 'late_minutes'>;

/**
 * The form for a station's settings on all screens, such as how many taps a ticket takes and when it is late. Only managers see
 * it.
 */
export function StationForm({ client, settings, station, onClose }: StationFormProps) {
  const words = shiftMessages().stationForm;
  const { draft, setDraft, failure, save } = useDraft({ client, settings, station });
  return (
    <form
      class="stack gap-4 station-form"
      aria-label={words.title(stationName(station))}
      onSubmit={(event) => {
        event.preventDefault();
        void save().then((isSaved) => isSaved && onClose());
      }}
    >
      <h2>{words.title(stationName(station))}</h2>
      {draft && <DraftFields {...{ client, draft }} onChange={(changed) => setDraft({ ...draft, ...changed })} />}
      {!draft && failure === null && <p>{words.notRead}</p>}
      {failure !== null && <p role="alert">{textOf(failure)}</p>}
      <div class="wrap gap-3">
        {draft && (
          <button type="submit" class="tool tool-light">
            {words.save}
          </button>
        )}
        <button type="button" class="tool" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}

/**
 * Returns the station's current settings from the server as a draft; null until they are loaded, so that no older ones are saved
 * over them.
 */
function useDraft({ client, settings, station }: Pick<StationFormProps, 'client' | 'settings' | 'station'>) {
  const [draft, setDraft] = useState<Station | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    settings.loadNow().then(() => setDraft({ ...rulesOf(settings.rules.peek(), station), station }), setFailure);
  }, [settings, station]);
  async function save(): Promise<boolean> {
    if (!draft) return false;
    try {
      await saveStation(client, draft);
      return true;
    } catch (error) {
      setFailure(error);
      return false;
    }
  }
  return { draft, setDraft, failure, save };
}

type FieldsProps = { client: Client; draft: Station; onChange: (changed: Partial<Station>) => void };
function DraftFields({ client, draft, onChange: change }: FieldsProps) {
  const words = shiftMessages().stationForm;
  const { station } = draft;
  const dishes = useDishes(client, station);
  const changeDish = (id: number, limits: Limits | null): void =>
    change({
      dishes: [
        ...draft.dishes.filter(({ item_id: each }) => each !== id),
        ...(limits ? [{ item_id: id, ...limits }] : []),
      ],
    });
  return (
    <>
      <fieldset class="shift-choice">
        <legend>{words.taps}</legend>
        <div>
          {([1, 2, 3] as const).map((bumps) => (
            <button key={bumps} type="button" aria-pressed={draft.bumps === bumps} onClick={() => change({ bumps })}>
              {words.tapsOf[bumps]}
            </button>
          ))}
        </div>
      </fieldset>
      <LimitFields label={stationName(station)} limits={draft} onChange={change} />
      {dishes.map(({ id, name }) => {
        const own = draft.dishes.find(({ item_id: each }) => each === id);
        return own ? (
          <LimitFields key={id} label={name} limits={own} onChange={(limits) => changeDish(id, { ...own, ...limits })}>
            <button type="button" class="tool" aria-label={words.forgetDish(name)} onClick={() => changeDish(id, null)}>
              {words.forget}
            </button>
          </LimitFields>
        ) : (
          <p key={id} class="row wrap gap-3 station-form-dish">
            <span>{name}</span>
            <button
              type="button"
              class="tool"
              aria-label={words.ownOf(name)}
              onClick={() => changeDish(id, { amber_minutes: draft.amber_minutes, late_minutes: draft.late_minutes })}
            >
              {words.own}
            </button>
          </p>
        );
      })}
    </>
  );
}

function textOf(failure: unknown): string {
  if (isOlderService(failure)) return shiftMessages().stationForm.olderService;
  const { happened, toDo } = failureWords(failure);
  return `${happened} ${toDo}`;
}

type LimitProps = {
  label: string;
  limits: Limits;
  onChange: (limits: Partial<Limits>) => void;
  children?: ComponentChildren;
};
function LimitFields({ label, limits, onChange, children }: LimitProps) {
  const words = shiftMessages().stationForm;
  const field = (name: keyof Limits, text: string, min: number) => (
    <label>
      {text}
      <input
        type="number"
        min={min}
        max={240}
        required
        value={limits[name]}
        onInput={({ currentTarget }) => onChange({ [name]: currentTarget.valueAsNumber })}
      />
    </label>
  );
  return (
    <fieldset class="wrap station-form-limits">
      <legend>{label}</legend>
      {field('amber_minutes', words.amber, 1)}
      {field('late_minutes', words.late, (limits.amber_minutes || 0) + 1)}
      {children}
    </fieldset>
  );
}

/** Returns the dishes that this station cooks. */
function useDishes(client: Client, station: string): readonly LiveItem[] {
  const { rows, state } = useCollection(client, menu);
  if (state.value === 'loading') return [];
  return rows.value.filter((item) => textKey(item.station) === textKey(station));
}
