import { CallFailure } from '@comanda/client/core';
import { isWeakPin } from '@comanda/contracts/weak-pin';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ChoosePin, type PinFault, type PinStep, type PinStepView } from '@comanda/ui/choose-pin.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { pinPadMessages } from '@comanda/ui/pin-pad-messages.ts';
import { useRouter } from '../contexts.ts';
import { useAccount } from './account-context.ts';
import { AccountHead } from './account-head.tsx';
import { BlockedPage } from './blocked.tsx';
import './consent.css';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import { PadError } from './pad-error.tsx';
import './pin-steps.css';
import type { PinTask } from './pin.ts';
import { useHeadingFocus } from './use-heading-focus.ts';

function PinSet({ onLeave }: { onLeave: () => void }) {
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
        <p class="dim account-quiet">{words.pinSetText}</p>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={onLeave}>
          {words.done}
        </Button>
      </footer>
    </>
  );
}

const steps = {
  create: ['new', 'repeat'],
  change: ['current', 'new', 'repeat'],
  reset: ['password', 'new', 'repeat'],
} as const;
const weak = 'transaction_password_weak';

function wordsOf(fault: PinFault): FailureWords | null {
  if (fault === null) return null;
  if (typeof fault === 'object') {
    const { error } = fault;
    if (!(error instanceof CallFailure && error.is('transaction_password_invalid'))) return accountFailureWords(error);
    const { attempts_remaining: left } = error.problem;
    return { happened: pinPadMessages().wrong(left), toDo: accountMessages().pinUnchanged };
  }
  const [happened = '', toDo = ''] = accountMessages().failures[fault === 'weak' ? weak : 'confirmation_mismatch'];
  return { happened, toDo };
}

function NewPin({ task, onSet }: { task: PinTask; onSet: () => void }) {
  const words = accountMessages();
  const { pin } = useAccount();
  const labels: Record<PinStep, string> = {
    password: passwordMessages().password,
    current: words.currentPin,
    new: words.newPin,
    repeat: words.repeatPin,
  };
  const buttons: Record<PinStep, string> = {
    password: words.resetApproved,
    current: words.goOn,
    new: words.goOn,
    repeat: words.setPin,
  };
  return (
    <ChoosePin
      steps={steps[task]}
      isWeak={isWeakPin}
      labelOf={(step) => labels[step]}
      buttonOf={(step, isBusy) => (isBusy ? words.setting : buttons[step])}
      class="column pin-steps"
      set={async (entered) => {
        await pin.set(task, entered);
        onSet();
      }}
    >
      {(view) => <NewPinStep {...view} title={labels[view.step]} />}
    </ChoosePin>
  );
}

function NewPinStep({ step, title, fault, control, button }: PinStepView & { title: string }) {
  const words = accountMessages();
  const failure = wordsOf(fault);
  useHeadingFocus(step);
  if (step === 'password')
    return (
      <ResetStep failure={failure} button={button}>
        {control}
      </ResetStep>
    );
  return (
    <div class="column pin-steps consent">
      <main class="page-main">
        <div>
          <h1 class="account-h1 pin-step-title" tabIndex={-1}>
            {title}
          </h1>
          {step === 'new' && failure === null && <p class="pin-step-hint">{words.pinRules}</p>}
        </div>
        {failure !== null && <PadError title={failure.happened} text={failure.toDo} />}
        {control}
      </main>
      <footer class="dock">{button}</footer>
    </div>
  );
}

type ResetStepProps = { failure: FailureWords | null; children: ComponentChildren; button: ComponentChildren };
/** Explains a PIN reset, which needs the user's password and a manager who checks the user's identity. */
function ResetStep({ failure, children, button }: ResetStepProps) {
  const words = accountMessages();
  const { user } = useAccount();
  return (
    <>
      <main class="page-main account-main">
        <h1 class="account-h1" tabIndex={-1}>
          {words.resetTitle}
        </h1>
        {failure !== null && <ErrorPanel words={failure} />}
        <ol class="stack gap-3 reset-steps">
          {words.resetSteps.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <p class="edge reset-who">{words.resetWho(user.name, user.userId)}</p>
        {children}
      </main>
      <footer class="dock">{button}</footer>
    </>
  );
}

/** The page for creating, changing or resetting the PIN. */
export function PinPage() {
  const words = accountMessages();
  const [isSet, setIsSet] = useState(false);
  const { pin } = useAccount();
  const { goBack } = useRouter();
  const state = pin.state.value;
  const task: PinTask | null = pin.task.value ?? (state?.status === 'absent' ? 'create' : state ? 'change' : null);
  useEffect(() => {
    void pin.read();
    return () => pin.choose(null);
  }, [pin]);
  useHeadingFocus(isSet ? 'set' : (task ?? ''));
  const back = words.security;
  const leave = (): void => {
    pin.choose(null);
    goBack({ page: 'account', part: 'security' });
  };
  if (!isSet && task === 'change' && state?.status === 'blocked')
    return <BlockedPage until={state.blocked_until ?? null} back={back} onBack={leave} />;
  return (
    <div class="page">
      <AccountHead back={back} onBack={leave} />
      {isSet ? (
        <PinSet onLeave={leave} />
      ) : task ? (
        <NewPin key={task} task={task} onSet={() => setIsSet(true)} />
      ) : (
        <main class="page-main">
          <h1 class="visually-hidden" tabIndex={-1}>
            {words.pinTitle}
          </h1>
          <p class="dim account-quiet">{words.reading}</p>
        </main>
      )}
    </div>
  );
}
