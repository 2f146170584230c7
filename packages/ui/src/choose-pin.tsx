import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { PasswordField } from './password-field.tsx';
import { pinLength, PinPad } from './pin-pad.tsx';

/** What the user enters in this step. `password` shows a text field, and the other steps show a PIN pad. */
export type PinStep = 'password' | 'current' | 'new' | 'repeat';
export type EnteredPin = { password: string; current: string; pin: string };
/** What is wrong with the input. `weak` and `different` are found before the server is asked. `error` is a failure of `set`. */
export type PinFault = 'weak' | 'different' | { error: unknown } | null;

/** The parts of one step, which the app arranges on its page. */
export type PinStepView = {
  step: PinStep;
  fault: PinFault;
  /** The PIN pad, or the password field. */
  control: ComponentChildren;
  button: ComponentChildren;
};
type ChoosePinProps = {
  /** The steps in order. When the last one is complete, `set` is called. */
  steps: readonly PinStep[];
  length?: number;
  isWeak: (pin: string) => boolean;
  labelOf: (step: PinStep) => string;
  /** Returns the button's label, or null for no button. Without a button, the last digit completes the step. */
  buttonOf: (step: PinStep, isBusy: boolean) => string | null;
  class: string;
  /**
   * Sets the PIN. Returns `needs password` if the user must also enter the password.
   * @throws an error, which is shown to the user
   */
  set: (entered: EnteredPin) => Promise<void | 'needs password'>;
  children: (view: PinStepView) => ComponentChildren;
};

const nothing: EnteredPin = { password: '', current: '', pin: '' };

/**
 * Asks for a new PIN twice, and for the current PIN or password if the server requires one. The digits are stored only in this
 * component's memory.
 */
export function ChoosePin(props: ChoosePinProps) {
  const { length = pinLength, isWeak, labelOf, buttonOf, class: className, set, children } = props;
  const [steps, setSteps] = useState(props.steps);
  const [step, setStep] = useState<PinStep>(steps[0] ?? 'new');
  const [entered, setEntered] = useState(nothing);
  const [digits, setDigits] = useState('');
  const [fault, setFault] = useState<PinFault>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function finish(all: EnteredPin): Promise<void> {
    setIsBusy(true);
    try {
      if ((await set(all)) === 'needs password') {
        setSteps([...steps, 'password']);
        setStep('password');
      }
    } catch (error) {
      setFault({ error });
      // If only the password was wrong, the user need not enter the PIN again.
      if (step !== 'password') {
        setEntered(nothing);
        setStep(steps[0] ?? 'new');
      }
    }
    setIsBusy(false);
  }
  function next(all: EnteredPin): void {
    setEntered(all);
    const following = steps[steps.indexOf(step) + 1];
    if (following) setStep(following);
    else void finish(all);
  }
  function enterDigits(typed: string): void {
    setDigits('');
    setFault(null);
    if (step === 'current') next({ ...entered, current: typed });
    // The server would reject a weak PIN too, but only after the user has entered it twice.
    else if (step === 'new' && isWeak(typed)) setFault('weak');
    else if (step === 'new') next({ ...entered, pin: typed });
    else if (typed === entered.pin) next(entered);
    else {
      setFault('different');
      setStep('new');
    }
  }
  function submit(): void {
    if (isBusy || (step !== 'password' && digits.length < length)) return;
    if (step !== 'password') return enterDigits(digits);
    setFault(null);
    next(entered);
  }
  const label = labelOf(step);
  const buttonText = buttonOf(step, isBusy);
  const change = (typed: string): void =>
    buttonText === null && typed.length === length ? enterDigits(typed) : setDigits(typed);
  const control =
    step === 'password' ? (
      <PasswordField
        label={label}
        which="current"
        value={entered.password}
        onInput={(password) => setEntered({ ...entered, password })}
      />
    ) : (
      <PinPad
        key={step}
        label={label}
        length={length}
        digits={digits}
        onDigits={change}
        onEnter={submit}
        isBusy={isBusy}
      />
    );
  const isEntered = step === 'password' || digits.length === length;
  const button = buttonText !== null && (
    <Button type="submit" kind="primary" size="large" aria-disabled={isBusy || !isEntered}>
      {buttonText}
    </Button>
  );
  return (
    <Form class={className} onSubmit={submit}>
      {children({ step, fault, control, button })}
    </Form>
  );
}
