import type { TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { messages } from '../messages.ts';
import { client } from '../state/client.ts';
import { backToMenu } from '../state/route.ts';
import { AccountHead } from './account-head.tsx';
import { accountFailureWords } from './failures.ts';
import { isSignInTooOld, unlock } from './lock.ts';
import { accountMessages } from './messages.ts';
import { signOut } from './transfer.ts';

/** Asks for the password: nobody has touched the page for 5 minutes, or the server wants a recent sign-in. */
export function UnlockPage({ name }: { name: string }) {
  const words = accountMessages();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  async function signIn(): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      const { email } = await client.calls.me();
      await client.signIn({ email: email ?? '', password });
      unlock();
    } catch (error) {
      setPassword('');
      setFailure(accountFailureWords(error));
    }
    setIsBusy(false);
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!isBusy) void signIn();
  };
  useEffect(() => () => setPassword(''), []);
  const tooOld = isSignInTooOld.value;
  return (
    <div class="page">
      <AccountHead back={messages().menu} onBack={backToMenu} />
      <main class="page-main account-main">
        <span class="account-symbol">
          <Icon name="lock" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.locked}
        </h1>
        <p class="account-quiet">{tooOld ? words.signInTooOld : words.lockedText}</p>
        <form class="form account-form" aria-label={words.unlock} onSubmit={submit}>
          {failure !== null && <ErrorPanel words={failure} />}
          <p>{words.signedInAs(name)}</p>
          <Field
            label={uiMessages().password}
            type="password"
            autocomplete="current-password"
            required
            value={password}
            onInput={setPassword}
          />
          <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
            {isBusy ? words.unlocking : words.unlock}
          </Button>
        </form>
        <Button
          kind="quiet"
          aria-disabled={isLeaving}
          onClick={() => {
            setIsLeaving(true);
            void signOut();
          }}
        >
          {isLeaving ? words.signingOut : words.someoneElse(name)}
        </Button>
      </main>
    </div>
  );
}
