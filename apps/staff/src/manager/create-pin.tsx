import { CallFailure, type Client } from '@comanda/client';
import { isWeakPin } from '@comanda/contracts/weak-pin';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { PinPad, pinLength } from '@comanda/ui/pin-pad.tsx';
import { Form } from '@comanda/ui/form.tsx';
import type { ConsentStep } from './consent.ts';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';

type CreatePinProps = { client: Client; step: Extract<ConsentStep, { kind: 'create' }> };

/** Why the digits were not taken, before the server was asked. */
type Refusal = 'weak' | 'different' | null;

/** Two entries of a new PIN that must be the same. The server may ask for a fresh sign-in before it takes one. */
function useNewPin({ client, step }: CreatePinProps) {
  const [first, setFirst] = useState<string | null>(null);
  const [digits, setDigits] = useState('');
  const [password, setPassword] = useState('');
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [refusal, setRefusal] = useState<Refusal>(null);
  const [isBusy, setIsBusy] = useState(false);

  const startAgain = (): void => {
    setFirst(null);
    setDigits('');
  };
  async function create(): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    try {
      if (needsSignIn) {
        const { email } = await client.calls.me();
        await client.signIn({ email: email ?? '', password });
        setPassword('');
      }
      await client.calls.createTransactionPassword({ transaction_password: digits, confirmation: digits });
      startAgain();
      step.answer({ transaction_password: digits });
    } catch (error) {
      if (error instanceof CallFailure && error.is('reauthentication_required')) setNeedsSignIn(true);
      else {
        setFailure(error);
        if (!needsSignIn) startAgain();
      }
    }
    setIsBusy(false);
  }
  function next(): void {
    if (isBusy || digits.length < pinLength) return;
    setRefusal(null);
    setFailure(null);
    if (first === null && isWeakPin(digits)) {
      // As the server would, before it is entered again.
      setRefusal('weak');
      setDigits('');
    } else if (first === null) {
      setFirst(digits);
      setDigits('');
    } else if (first === digits) void create();
    else {
      setRefusal('different');
      startAgain();
    }
  }
  return {
    isRepeat: first !== null,
    refusal,
    isBusy,
    failure,
    needsSignIn,
    digits,
    setDigits,
    password,
    setPassword,
    next,
    create,
  };
}

/** Asks for a new PIN, twice, and for the password if the last sign-in is too old. */
export function CreatePin(props: CreatePinProps) {
  const words = managerMessages().consent;
  const { isRepeat, refusal, isBusy, failure, needsSignIn, ...typed } = useNewPin(props);
  if (needsSignIn)
    return (
      <Form onSubmit={() => void typed.create()}>
        <p>{words.signInAgain}</p>
        <Failure of={failure} />
        <PasswordField label={words.password} which="current" value={typed.password} onInput={typed.setPassword} />
        <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
          {words.goOn}
        </Button>
      </Form>
    );
  return (
    <>
      <p>{words.createWhy}</p>
      <Failure of={failure} />
      {refusal === 'weak' && <ErrorPanel words={{ happened: words.weak, toDo: words.weakToDo }} />}
      {refusal === 'different' && <ErrorPanel words={{ happened: words.different, toDo: words.differentToDo }} />}
      <PinPad
        label={isRepeat ? words.repeatPin : words.newPin}
        digits={typed.digits}
        onDigits={typed.setDigits}
        onEnter={typed.next}
        isBusy={isBusy}
      />
      <Button
        kind="primary"
        size="large"
        aria-disabled={isBusy || typed.digits.length < pinLength}
        onClick={typed.next}
      >
        {isRepeat ? words.create : words.goOn}
      </Button>
    </>
  );
}
