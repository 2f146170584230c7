import type { Client } from '@comanda/client/core';
import { stopNames } from '@comanda/contracts/rules';
import type { StopName } from '@comanda/contracts/stops';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { Form } from '@comanda/ui/form.tsx';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../failure.tsx';
import { GoingOn } from '../day/going-on.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';

type Props = { client: Client; session: ManagerSession };

/** The forms for stopping transfers and sign-ups. */
export function StopsSection(props: Props) {
  const { stops } = props.session;
  useEffect(() => stops.load(), [stops]);
  return (
    <>
      {stopNames.map((name) => (
        <StopForm key={name} name={name} {...props} />
      ))}
    </>
  );
}

function StopForm({ name, session }: { name: StopName; session: ManagerSession }) {
  const words = managerMessages().stops;
  const { title, goesOn, unknown, stop, resume } = words[name];
  const { failure, run, isBusy } = useAction();
  const [reason, setReason] = useState('');
  const isLoaded = session.stops.isLoaded.value;
  const stopped = session.stops.state.value[name];
  const state = stopped ? stopMessages()[name].stopped : isLoaded ? goesOn : unknown;
  function change(): void {
    const given = reason.trim();
    const input = { name, stopped: stopped === null, ...(stopped === null && given !== '' && { reason: given }) };
    void run(async () => {
      const purpose = (): string => managerMessages().stops[name][stopped ? 'resume' : 'stop'];
      await session.consent.run({ call: 'putStop', input, purpose });
      setReason('');
    });
  }
  return (
    <Form class="manager-form" label={title} onSubmit={change}>
      <GoingOn isStopped={isLoaded || stopped ? stopped !== null : null} title={state}>
        {stopped && <p>{words.since(formatDay(stopped.since), formatTime(stopped.since))}</p>}
        {stopped?.reason != null && <p>{stopped.reason}</p>}
      </GoingOn>
      {stopped === null && (
        <Field
          label={words.reason(title)}
          hint={words.reasonHint}
          maxLength={200}
          autocomplete="off"
          value={reason}
          onInput={setReason}
        />
      )}
      <Failure of={failure} />
      <Button type="submit" kind={stopped ? 'primary' : 'danger'} aria-disabled={isBusy}>
        {stopped ? resume : stop}
      </Button>
    </Form>
  );
}
