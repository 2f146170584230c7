import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useGuest, useRouter } from '../contexts.ts';
import { messages } from '../messages.ts';
import { AccountHead } from './account-head.tsx';
import type { AccountSession } from './account-session.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';

type UnlockPageProps = { session: AccountSession; onSignOut: () => Promise<void> };

/** Asks for the password, because the account pages were not touched for 5 minutes or the server requires a recent sign-in. */
export function UnlockPage({ session, onSignOut }: UnlockPageProps) {
  const words = accountMessages();
  const { client, lock, user } = session;
  const { seat } = useGuest();
  const [password, setPassword] = useState('');
  const [isLeaving, setIsLeaving] = useState(false);
  const { failure, isBusy, run } = useAction();
  async function unlock(): Promise<void> {
    try {
      const { email } = await client.calls.me();
      await seat.signInAgain({ email: email ?? '', password });
      lock.unlock();
    } catch (error) {
      setPassword('');
      throw error;
    }
  }
  useEffect(() => () => setPassword(''), []);
  const tooOld = lock.isSignInTooOld.value;
  return (
    <div class="page">
      <AccountHead back={messages().menu} onBack={useRouter().backToMenu} />
      <main class="page-main account-main">
        <span class="account-symbol">
          <LateIcon name="lock" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.locked}
        </h1>
        <p class="dim account-quiet">{tooOld ? words.signInTooOld : words.lockedText}</p>
        <Form class="form account-form" label={words.unlock} onSubmit={() => void run(unlock)}>
          {failure !== null && <ErrorPanel words={accountFailureWords(failure)} />}
          <p class="account-who">{words.signedInAs(user.name)}</p>
          <PasswordField label={passwordMessages().password} which="current" value={password} onInput={setPassword} />
          <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
            {isBusy ? words.unlocking : words.unlock}
          </Button>
        </Form>
        <Button
          kind="quiet"
          class="account-not-you"
          aria-disabled={isLeaving}
          onClick={() => {
            setIsLeaving(true);
            void onSignOut();
          }}
        >
          {isLeaving ? words.signingOut : words.someoneElse(user.name)}
        </Button>
      </main>
    </div>
  );
}
