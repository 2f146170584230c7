import { CallFailure, type Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords, type FailureWords } from '@comanda/ui/failure-words.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { PinPad } from '@comanda/ui/pin-pad.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { tabletPinLength } from '../tablet/tablet-pin-length.ts';
import { signInMessages } from './messages.ts';
import { isUnknownTablet, type Person } from './person.ts';

type TabletPinProps = {
  client: Client;
  credential: string;
  person: Person;
  onSignedIn: () => void;
  onUnknown: () => void;
  onBack: () => void;
};

/** The PIN pad for the selected person. The fourth digit signs in. */
export function TabletPin({ client, credential, person, onSignedIn, onUnknown, onBack }: TabletPinProps) {
  const words = signInMessages();
  const { failure, isBusy, run } = useAction();
  const [digits, setDigits] = useState('');
  async function signIn(pin: string): Promise<void> {
    try {
      await client.signInOnTablet({ tablet_credential: credential, user_id: person.id, tablet_pin: pin });
    } catch (error) {
      if (!isUnknownTablet(error)) throw error;
      return onUnknown();
    } finally {
      setDigits('');
    }
    onSignedIn();
  }
  function enter(typed: string): void {
    setDigits(typed);
    if (typed.length === tabletPinLength) void run(() => signIn(typed));
  }
  return (
    <>
      <h2 class="tablet-pin-of">{words.pinOf(person.name)}</h2>
      {failure !== null && <ErrorPanel words={wordsOf(failure)} />}
      <PinPad
        label={words.pinOf(person.name)}
        length={tabletPinLength}
        digits={digits}
        onDigits={enter}
        isBusy={isBusy}
      />
      <Button size="small" onClick={onBack}>
        {words.notMe}
      </Button>
    </>
  );
}

function wordsOf(failure: unknown): FailureWords {
  const words = signInMessages();
  if (!(failure instanceof CallFailure)) return failureWords(failure);
  if (failure.is('tablet_pin_invalid'))
    return { happened: words.wrong(failure.problem.attempts_remaining), toDo: words.wrongToDo };
  if (!failure.is('tablet_pin_blocked')) return failureWords(failure);
  const { blocked_until: until } = failure.problem;
  return until === null
    ? { happened: words.usedUp, toDo: words.usedUpToDo }
    : { happened: words.blocked(formatTime(until)), toDo: words.blockedToDo };
}
