import type { Client } from '@comanda/client';
import { isWeakTabletPin } from '@comanda/contracts/weak-pin';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { PinPad } from '@comanda/ui/pin-pad.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { tabletMessages } from './messages.ts';
import './tablet-pin-dialog.css';
import { tabletPinLength } from './tablet-pin-length.ts';

/** `choose` and `repeat` the digits, prove it with the password, done. */
type Step = { kind: 'choose' | 'done' } | { kind: 'repeat' | 'prove'; chosen: string };

/** Why the digits were not taken. */
type Refusal = 'weak' | 'different' | null;

/** A waiter sets the tablet PIN: four digits twice, then the password. */
export function TabletPinDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const words = tabletMessages();
  const [step, setStep] = useState<Step>({ kind: 'choose' });
  const [refusal, setRefusal] = useState<Refusal>(null);
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <div class="form tablet-pin">
        {step.kind === 'choose' && <p>{words.why}</p>}
        {refusal && <ErrorPanel words={{ happened: words[refusal], toDo: words[`${refusal}ToDo`] }} />}
        {(step.kind === 'choose' || step.kind === 'repeat') && (
          <Digits key={step.kind} step={step} onStep={setStep} onRefusal={setRefusal} />
        )}
        {step.kind === 'prove' && (
          <Prove client={client} chosen={step.chosen} onDone={() => setStep({ kind: 'done' })} />
        )}
        {step.kind === 'done' && (
          <>
            <p role="status">{words.done}</p>
            <Button kind="primary" size="large" onClick={onClose}>
              {words.close}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

type DigitsProps = { step: Step; onStep: (step: Step) => void; onRefusal: (why: Refusal) => void };
/** The fourth digit goes on. */
function Digits({ step, onStep, onRefusal }: DigitsProps) {
  const words = tabletMessages();
  const [digits, setDigits] = useState('');
  function enter(typed: string): void {
    if (typed.length < tabletPinLength) return setDigits(typed);
    setDigits('');
    onRefusal(null);
    if (step.kind === 'choose') {
      // As the server would, before they are entered again.
      if (isWeakTabletPin(typed)) onRefusal('weak');
      else onStep({ kind: 'repeat', chosen: typed });
    } else if (step.kind === 'repeat' && step.chosen === typed) onStep({ kind: 'prove', chosen: typed });
    else {
      onRefusal('different');
      onStep({ kind: 'choose' });
    }
  }
  const label = step.kind === 'choose' ? words.choose : words.repeat;
  return (
    <>
      <h3 class="tablet-pin-step">{label}</h3>
      <PinPad label={label} length={tabletPinLength} digits={digits} onDigits={enter} />
    </>
  );
}

function Prove({ client, chosen, onDone }: { client: Client; chosen: string; onDone: () => void }) {
  const words = tabletMessages();
  const { failure, isBusy, run } = useAction();
  const [password, setPassword] = useState('');
  const set = (): void =>
    void run(async () => {
      await client.calls.setTabletPin({ password, tablet_pin: chosen });
      onDone();
    });
  return (
    <Form label={words.title} onSubmit={set}>
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <PasswordField label={words.password} which="current" value={password} onInput={setPassword} />
      <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
        {words.set}
      </Button>
    </Form>
  );
}
