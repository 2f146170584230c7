import { CallFailure } from '@comanda/client';
import type { Client } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { PinPad, pinLength, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import { consentPurpose, consentStep } from './consent.ts';
import type { ConsentStep, Purpose } from './consent.ts';
import { managerFailureWords, managerMessages } from './messages.ts';

/** Asks for the PIN when a call needs it. */
export function ConsentDialog({ client }: { client: Client }) {
  const words = managerMessages().consent;
  const step = consentStep.value;
  const cancel = (): void => {
    if (step.kind === 'pin' || step.kind === 'create') step.answer(null);
  };
  return (
    <Dialog
      title={step.kind === 'create' ? words.createTitle : words.title}
      isOpen={step.kind !== 'closed'}
      onClose={cancel}
    >
      <div class="consent">
        <PurposeText of={consentPurpose.value} />
        {step.kind === 'create' ? <CreatePin client={client} step={step} /> : <EnterPin step={step} />}
      </div>
    </Dialog>
  );
}

/** Amount and payee of a deposit are in the same glance as the dots. */
function PurposeText({ of: purpose }: { of: Purpose }) {
  const words = managerMessages().deposits;
  if (typeof purpose === 'string') return <p>{purpose}</p>;
  const { account, owner, amount, currency } = purpose;
  return (
    <div class="consent-terms">
      <p>{words.youDeposit}</p>
      <p class="consent-amount money">{formatMoney(amount, currency)}</p>
      <p>
        {words.into} <strong>{words.accountOf(account)}</strong>, {owner}
      </p>
    </div>
  );
}

function EnterPin({ step }: { step: ConsentStep }) {
  const words = managerMessages().consent;
  const [digits, setDigits] = useState('');
  const isAsking = step.kind === 'pin';
  const confirm = (): void => {
    if (!isAsking || digits.length < pinLength) return;
    setDigits('');
    step.answer({ transaction_password: digits });
  };
  return (
    <>
      {isAsking && step.triesLeft !== null && (
        <ErrorPanel words={{ happened: pinPadMessages().wrong(step.triesLeft), toDo: words.nothingChanged }} />
      )}
      <PinPad digits={digits} onDigits={setDigits} onEnter={confirm} isBusy={!isAsking} />
      <Button kind="primary" size="large" aria-disabled={!isAsking || digits.length < pinLength} onClick={confirm}>
        {isAsking ? words.confirm : words.checking}
      </Button>
    </>
  );
}

type CreateStep = Extract<ConsentStep, { kind: 'create' }>;

/** A new PIN, entered twice. The server may ask for a fresh sign-in before it takes one. */
function CreatePin({ client, step }: { client: Client; step: CreateStep }) {
  const words = managerMessages().consent;
  const [first, setFirst] = useState<string | null>(null);
  const [digits, setDigits] = useState('');
  const [password, setPassword] = useState('');
  const [asked, setAsked] = useState<'pin' | 'password'>('pin');
  const [failure, setFailure] = useState<unknown>(null);
  const [isDifferent, setIsDifferent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  const startAgain = (): void => {
    setFirst(null);
    setDigits('');
  };
  async function create(pin: string): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      if (asked === 'password') {
        const { email } = await client.calls.me();
        await client.signIn({ email: email ?? '', password });
        setPassword('');
      }
      await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
      startAgain();
      step.answer({ transaction_password: pin });
    } catch (error) {
      if (error instanceof CallFailure && error.code === 'reauthentication_required') setAsked('password');
      else {
        setFailure(error);
        if (asked === 'pin') startAgain();
      }
    }
    setIsBusy(false);
  }
  function next(): void {
    if (isBusy || digits.length < pinLength) return;
    setIsDifferent(false);
    setFailure(null);
    if (first === null) {
      setFirst(digits);
      setDigits('');
    } else if (first === digits) void create(digits);
    else {
      setIsDifferent(true);
      startAgain();
    }
  }

  const panel = failure !== null && <ErrorPanel words={managerFailureWords(failure)} />;
  if (asked === 'password')
    return (
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void create(digits);
        }}
      >
        <p>{words.signInAgain}</p>
        {panel}
        <Field
          label={words.password}
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={setPassword}
        />
        <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
          {words.goOn}
        </Button>
      </form>
    );
  return (
    <>
      <p>{words.createWhy}</p>
      {panel}
      {isDifferent && <ErrorPanel words={{ happened: words.different, toDo: words.differentToDo }} />}
      <PinPad
        label={first === null ? words.newPin : words.repeatPin}
        digits={digits}
        onDigits={setDigits}
        onEnter={next}
        isBusy={isBusy}
      />
      <Button kind="primary" size="large" aria-disabled={isBusy || digits.length < pinLength} onClick={next}>
        {first === null ? words.goOn : words.create}
      </Button>
    </>
  );
}
