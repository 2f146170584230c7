import { CallFailure } from '@comanda/client';
import { isWeakPin } from '@comanda/contracts/weak-pin';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { pinLength, PinPad, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import { useAccount } from './account-context.ts';
import './consent.css';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { PadError } from './pad-error.tsx';
import './pin-steps.css';
import type { NewPin } from './pin.ts';
import { useHeadingFocus } from './use-heading-focus.ts';

export type Task = NewPin['kind'];
/** What is entered next. `password` is a field; the others are six digits. */
type Step = 'password' | 'current' | 'new' | 'repeat';
const firstStep = { create: 'new', change: 'current', reset: 'password' } as const;
const nothing = { password: '', current: '', next: '' };

/** What was refused before the server was asked. */
const ownRefusals = ['transaction_password_weak', 'confirmation_mismatch'] as const;
/** `failure` of a call, or one of ours, and not in words: the language may be changed. */
function wordsOf(failure: unknown): FailureWords | null {
  if (failure === null) return null;
  const own = ownRefusals.find((each) => each === failure);
  if (own === undefined) return wordsOfCall(failure);
  const [happened = '', toDo = ''] = accountMessages().failures[own];
  return { happened, toDo };
}
function wordsOfCall(error: unknown): FailureWords {
  if (error instanceof CallFailure && error.is('transaction_password_invalid'))
    return { happened: pinPadMessages().wrong(error.problem.attempts_remaining), toDo: accountMessages().pinUnchanged };
  return accountFailureWords(error);
}

type PinStepsProps = { task: Task; onSet: () => void };

/** The steps of creating, changing and resetting. What is entered is in the memory of this component and nowhere else. */
export function PinSteps({ task, onSet }: PinStepsProps) {
  const { pin } = useAccount();
  const [step, setStep] = useState<Step>(firstStep[task]);
  const [entered, setEntered] = useState(nothing);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  useHeadingFocus(step);

  async function set(digits: string): Promise<void> {
    setIsBusy(true);
    const { current, password } = entered;
    try {
      if (task === 'create') await pin.set({ kind: task }, digits);
      else if (task === 'change') await pin.set({ kind: task, current }, digits);
      else await pin.set({ kind: task, password }, digits);
      onSet();
    } catch (error) {
      setFailure(error);
      setStep(firstStep[task]);
      setEntered(nothing);
    }
    setIsBusy(false);
  }
  const goOn = (digits: string): void => {
    setFailure(null);
    if (step === 'current') {
      setEntered({ ...entered, current: digits });
      setStep('new');
    } else if (step === 'new' && isWeakPin(digits)) {
      // As the server would, before it is entered again.
      setFailure('transaction_password_weak');
    } else if (step === 'new') {
      setEntered({ ...entered, next: digits });
      setStep('repeat');
    } else if (digits === entered.next) void set(digits);
    else {
      setEntered({ ...entered, next: '' });
      setStep('new');
      setFailure('confirmation_mismatch');
    }
  };
  if (step === 'password') {
    const confirmPassword = (): void => {
      setFailure(null);
      setStep('new');
    };
    const setPassword = (password: string): void => setEntered({ ...entered, password });
    return (
      <PasswordStep
        password={entered.password}
        failure={wordsOf(failure)}
        onPassword={setPassword}
        onConfirm={confirmPassword}
      />
    );
  }
  return <DigitsStep step={step} failure={wordsOf(failure)} isBusy={isBusy} onEntered={goOn} />;
}

type PasswordStepProps = {
  password: string;
  failure: FailureWords | null;
  onPassword: (password: string) => void;
  onConfirm: () => void;
};
/** What a reset needs: a manager, who sees who this is, and the password. */
function PasswordStep({ password, failure, onPassword, onConfirm }: PasswordStepProps) {
  const words = accountMessages();
  const { user } = useAccount();
  return (
    <Form class="pin-steps" label={words.resetTitle} onSubmit={onConfirm}>
      <main class="page-main account-main">
        <h1 class="account-h1" tabIndex={-1}>
          {words.resetTitle}
        </h1>
        {failure !== null && <ErrorPanel words={failure} />}
        <ol class="reset-steps">
          {words.resetSteps.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <p class="reset-who">{words.resetWho(user.name, user.userId)}</p>
        <PasswordField label={uiMessages().password} which="current" value={password} onInput={onPassword} />
      </main>
      <footer class="dock">
        <Button type="submit" kind="primary" size="large">
          {words.resetApproved}
        </Button>
      </footer>
    </Form>
  );
}

type DigitsStepProps = {
  step: Exclude<Step, 'password'>;
  failure: FailureWords | null;
  isBusy: boolean;
  onEntered: (digits: string) => void;
};
function DigitsStep({ step, failure, isBusy, onEntered }: DigitsStepProps) {
  const words = accountMessages();
  const [digits, setDigits] = useState('');
  const title = step === 'current' ? words.currentPin : step === 'repeat' ? words.repeatPin : words.newPin;
  const mayGoOn = !isBusy && digits.length === pinLength;
  const goOn = (): void => {
    if (!mayGoOn) return;
    setDigits('');
    onEntered(digits);
  };
  return (
    <div class="pin-steps consent">
      <main class="page-main">
        <div>
          <h1 class="account-h1 pin-step-title" tabIndex={-1}>
            {title}
          </h1>
          {step === 'new' && failure === null && <p class="pin-step-hint">{words.pinRules}</p>}
        </div>
        {failure !== null && <PadError title={failure.happened} text={failure.toDo} />}
        <PinPad key={step} label={title} digits={digits} onDigits={setDigits} onEnter={goOn} isBusy={isBusy} />
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" aria-disabled={!mayGoOn} onClick={goOn}>
          {isBusy ? words.setting : step === 'repeat' ? words.setPin : words.goOn}
        </Button>
      </footer>
    </div>
  );
}
