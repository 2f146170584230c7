import type { Client } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '../parts/use-action.ts';
import type { ManagerSession } from './manager-session.ts';
import { managerFailureWords, managerMessages } from './messages.ts';

const choices = [15, 30, 60] as const;

/** The next time that a clock shows `21:30`, after `now`; null if it is no time of day. */
function nextTime(text: string, now: number): number | null {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:h]([0-5]\d)$/.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  const at = new Date(now);
  at.setHours(Number(hours), Number(minutes), 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
}

/** Whether guests may order, and the pause. */
export function OrderingPage({ client, session }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().ordering;
  const { failure, run, isBusy } = useAction();
  const [minutes, setMinutes] = useState<number | null>(30);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const ordering = session.ordering.value;
  const now = session.now.value;
  const pausedUntil = ordering?.paused_until ?? null;
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > now;

  function pause(): void {
    const at = minutes === null ? nextTime(until, now) : now + minutes * 60_000;
    setIsInvalid(at === null);
    if (at === null) return;
    const body = {
      paused_until: new Date(at).toISOString(),
      ...(reason.trim() !== '' && { reason: reason.trim() }),
    };
    void run(async () => session.applyOrdering(await client.calls.putOrdering(body)));
  }
  const resume = (): void => void run(async () => session.applyOrdering(await client.calls.putOrdering({})));
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{words.title}</h1>
      </div>
      <section class={`ordering-state ${isPaused ? 'ordering-paused' : ''}`} role="status">
        <Icon name={isPaused ? 'pause' : 'check'} size={40} />
        <div>
          <h2>
            {ordering === null ? words.unknown : isPaused ? words.paused(formatTime(pausedUntil)) : words.accepted}
          </h2>
          {isPaused && ordering?.reason && <p>{ordering.reason}</p>}
          {isPaused && <p>{words.staff}</p>}
        </div>
      </section>
      {isPaused && (
        <Button kind="primary" size="large" aria-disabled={isBusy} onClick={resume}>
          {words.resume}
        </Button>
      )}
      <form
        class="manager-form"
        aria-label={words.pause}
        onSubmit={(event) => {
          event.preventDefault();
          pause();
        }}
      >
        <fieldset class="people-roles">
          <legend>{words.howLong}</legend>
          {choices.map((each) => (
            <Chip key={each} pressed={minutes === each} onClick={() => setMinutes(each)}>
              {words.minutes(each)}
            </Chip>
          ))}
        </fieldset>
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
        {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
        <Button type="submit" kind={isPaused ? 'secondary' : 'primary'} aria-disabled={isBusy}>
          {isPaused ? words.change : words.pause}
        </Button>
      </form>
    </div>
  );
}
