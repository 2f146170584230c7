import type { Client, Input } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { nextTimeOfDay } from '@comanda/contracts/restaurant-clock';
import { dateOf, formatUntil } from '@comanda/ui/format.ts';
import { restaurantClock } from '@comanda/ui/restaurant-time.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { ChipChoice } from '../chip-choice.tsx';
import { Failure } from '../failure.tsx';
import { GoingOn } from './going-on.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { StopsSection } from '../deposits/stops-section.tsx';

const choices: readonly number[] = [15, 30, 60];

/**
 * Returns the next time in milliseconds after `now` at which the restaurant's clock shows this text, such as `21:30`. Null if the
 * text isn't a time of day.
 */
function nextTime(text: string, now: number): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:h]([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  return nextTimeOfDay(`${hours.padStart(2, '0')}:${minutes}`, now, restaurantClock.value.timeZone);
}

/** The page on which managers pause and resume guests' orders. */
export function OrderingPage({ client, session }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().ordering;
  const { failure, run, isBusy } = useAction();
  const { ordering } = session;
  const pausedUntil = ordering.pausedUntil.value;
  const isPaused = pausedUntil !== null;
  const isLoaded = ordering.isLoaded.value;
  const { reason } = ordering.state.value;
  const put = (body: Input<'putOrdering'>): void => void run(() => client.calls.putOrdering(body));
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{managerMessages().nav.ordering}</h1>
      </div>
      <GoingOn
        isStopped={isLoaded ? isPaused : null}
        title={
          !isLoaded
            ? words.unknown
            : isPaused
              ? words.paused(formatUntil(pausedUntil, session.now.value))
              : words.accepted
        }
      >
        {isPaused && reason && <p>{reason}</p>}
        {isPaused && <p>{words.staff}</p>}
      </GoingOn>
      {isPaused && (
        <Button kind="primary" size="large" aria-disabled={isBusy} onClick={() => put({})}>
          {words.resume}
        </Button>
      )}
      <PauseForm session={session} isPaused={isPaused} isBusy={isBusy} failure={failure} onPause={put} />
      <div class="manager-head">
        <h2>{managerMessages().stops.title}</h2>
        <p>{managerMessages().stops.hint}</p>
      </div>
      <StopsSection client={client} session={session} />
    </div>
  );
}

type PauseFormProps = {
  session: ManagerSession;
  isPaused: boolean;
  isBusy: boolean;
  failure: unknown;
  onPause: (body: Input<'putOrdering'>) => void;
};

function PauseForm({ session, isPaused, isBusy, failure, onPause }: PauseFormProps) {
  const words = managerMessages().ordering;
  const [minutes, setMinutes] = useState<number | null>(30);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const now = session.now.value;
  const typed = minutes === null ? nextTime(until, now) : null;
  const what = isPaused ? words.change : words.pause;
  const isAnotherDay = typed !== null && dateOf(typed) !== dateOf(now);
  function pause(): void {
    const at = minutes === null ? typed : now + minutes * 60_000;
    setIsInvalid(at === null);
    if (at === null) return;
    onPause({ paused_until: new Date(at).toISOString(), ...(reason.trim() !== '' && { reason: reason.trim() }) });
  }
  return (
    <Form class="manager-form" label={words.pause} onSubmit={pause}>
      <ChipChoice
        legend={words.howLong}
        choices={choices}
        chosen={minutes}
        nameOf={words.minutes}
        onChoose={setMinutes}
      />
      <Field
        label={words.until}
        autocomplete="off"
        hint={words.untilHint}
        value={until}
        error={isInvalid ? words.invalid : undefined}
        onInput={(value) => {
          setUntil(value);
          setIsInvalid(false);
          setMinutes(value.trim() === '' ? 30 : null);
        }}
      />
      <Field
        label={words.reason}
        hint={words.reasonHint}
        maxLength={200}
        autocomplete="off"
        value={reason}
        onInput={setReason}
      />
      <Failure of={failure} />
      <Button type="submit" kind={isPaused ? 'secondary' : 'primary'} aria-disabled={isBusy}>
        {isAnotherDay ? `${what}: ${formatUntil(typed, now)}` : what}
      </Button>
    </Form>
  );
}
