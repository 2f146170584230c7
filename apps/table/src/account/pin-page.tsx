import { CallFailure } from '@comanda/client';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatDate, formatTime } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { pinLength, PinPad, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import { goBack } from '../state/route.ts';
import { who } from '../state/seat.ts';
import { AccountHead } from './account-head.tsx';
import { BlockedPage } from './blocked.tsx';
import { PadError } from './pad-error.tsx';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { pinState, pinTask, readPin, setPin } from './pin.ts';
import type { NewPin } from './pin.ts';
import { useHeadingFocus } from './use-heading-focus.ts';

type Task = NewPin['kind'];
/** What is entered next. `password` is a field; the others are six digits. */
type Step = 'password' | 'current' | 'new' | 'repeat';
const firstStep = { create: 'new', change: 'current', reset: 'password' } as const;

const leave = (): void => {
  pinTask.value = null;
  goBack({ page: 'account', part: 'security' });
};

function wordsOf(error: unknown): FailureWords {
  const left = error instanceof CallFailure ? error.problem?.['attempts_remaining'] : undefined;
  if (typeof left !== 'number') return accountFailureWords(error);
  return { happened: pinPadMessages().wrong(left), toDo: accountMessages().pinUnchanged };
}

/** The steps of creating, changing and resetting. What is entered is in the memory of this component and nowhere else. */
function PinSteps({ task, onSet }: { task: Task; onSet: () => void }) {
  const words = accountMessages();
  const [step, setStep] = useState<Step>(firstStep[task]);
  const [digits, setDigits] = useState('');
  const [entered, setEntered] = useState({ password: '', current: '', next: '' });
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useHeadingFocus(step);

  const beginAgain = (from: Step, why: FailureWords): void => {
    setFailure(why);
    setStep(from);
    setEntered({ password: '', current: '', next: '' });
  };
  async function set(pin: string): Promise<void> {
    setIsBusy(true);
    const how: NewPin =
      task === 'create'
        ? { kind: task }
        : task === 'change'
          ? { kind: task, current: entered.current }
          : { kind: task, password: entered.password };
    try {
      await setPin(how, pin);
      onSet();
    } catch (error) {
      beginAgain(firstStep[task], wordsOf(error));
    }
    setIsBusy(false);
  }
  const goOn = (): void => {
    if (isBusy || digits.length < pinLength) return;
    const pin = digits;
    setDigits('');
    setFailure(null);
    if (step === 'current') {
      setEntered({ ...entered, current: pin });
      setStep('new');
    } else if (step === 'new') {
      setEntered({ ...entered, next: pin });
      setStep('repeat');
    } else if (pin === entered.next) void set(pin);
    else {
      setEntered({ ...entered, next: '' });
      setStep('new');
      setFailure({
        happened: words.failures.confirmation_mismatch[0] ?? '',
        toDo: words.failures.confirmation_mismatch[1] ?? '',
      });
    }
  };
  const title = step === 'current' ? words.currentPin : step === 'repeat' ? words.repeatPin : words.newPin;
  if (step === 'password')
    return (
      <form
        class="pin-steps"
        aria-label={words.resetTitle}
        onSubmit={(event) => {
          event.preventDefault();
          setFailure(null);
          setStep('new');
        }}
      >
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
          {who.value && <p class="reset-who">{words.resetWho(who.value.name, who.value.userId)}</p>}
          <Field
            label={uiMessages().password}
            type="password"
            autocomplete="current-password"
            required
            value={entered.password}
            onInput={(password) => setEntered({ ...entered, password })}
          />
        </main>
        <footer class="dock">
          <Button type="submit" kind="primary" size="large">
            {words.resetApproved}
          </Button>
        </footer>
      </form>
    );
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
        <Button kind="primary" size="large" aria-disabled={isBusy || digits.length < pinLength} onClick={goOn}>
          {isBusy ? words.setting : step === 'repeat' ? words.setPin : words.goOn}
        </Button>
      </footer>
    </div>
  );
}

function PinSet() {
  const words = accountMessages();
  return (
    <>
      <main class="page-main account-main">
        <span class="account-symbol account-symbol-good">
          <Icon name="check" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.pinSet}
        </h1>
        <p class="account-quiet">{words.pinSetText}</p>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={leave}>
          {words.done}
        </Button>
      </footer>
    </>
  );
}

/** The state of the PIN in words, and what can be done with it. */
export function PinState() {
  const words = accountMessages();
  const state = pinState.value;
  if (!state) return <p class="account-quiet">{words.reading}</p>;
  const { status, created_at: at, attempts_remaining: left } = state;
  return (
    <>
      <p>
        <strong>
          {status === 'blocked' && state.blocked_until !== undefined
            ? words.blockedUntil(formatTime(state.blocked_until))
            : words.pinStates[status]}
        </strong>
        {at !== undefined && (
          <>
            <br />
            <span class="account-quiet">{words.pinSetAt(formatDate(at), formatTime(at))}</span>
          </>
        )}
      </p>
      {status === 'usable' && left !== undefined && left < 3 && <p class="account-warning">{words.triesLeft(left)}</p>}
    </>
  );
}

/** Create, change or reset the PIN. */
export function PinPage() {
  const words = accountMessages();
  const [isSet, setIsSet] = useState(false);
  const state = pinState.value;
  const task: Task | null = pinTask.value ?? (state?.status === 'absent' ? 'create' : state ? 'change' : null);
  useEffect(() => void readPin(), []);
  useEffect(() => () => void (pinTask.value = null), []);
  useHeadingFocus(isSet ? 'set' : (task ?? ''));
  const back = words.security;
  if (!isSet && task === 'change' && state?.status === 'blocked')
    return <BlockedPage until={state.blocked_until ?? null} back={back} onBack={leave} />;
  return (
    <div class="page">
      <AccountHead back={back} onBack={leave} />
      {isSet ? (
        <PinSet />
      ) : task ? (
        <PinSteps key={task} task={task} onSet={() => setIsSet(true)} />
      ) : (
        <main class="page-main">
          <h1 class="spoken" tabIndex={-1}>
            {words.pinTitle}
          </h1>
          <p class="account-quiet">{words.reading}</p>
        </main>
      )}
    </div>
  );
}
