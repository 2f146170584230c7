import { CallFailure, type Answer, type Client } from '@comanda/client/core';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { LanguageButton } from '@comanda/ui/settings-buttons.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { goTo } from '../address.ts';
import { signInMessages } from '../sign-in/messages.ts';
import { tabletPinLength } from '../tablet/tablet-pin-length.ts';
import { invitationMessages } from './messages.ts';

type Invitation = Answer<'readInvitation'>;
type InvitationScreenProps = { client: Client; token: string; onSignedIn: () => void };

type PinFault = 'length' | 'weak' | null;

const isWeakPin = (failure: unknown): boolean => failure instanceof CallFailure && failure.is('tablet_pin_weak');
const isInvalid = (failure: unknown): boolean => failure instanceof CallFailure && failure.is('invitation_invalid');

/** Lets an invited person choose a password, and a waiter also a tablet PIN. Then signs them in. */
export function InvitationScreen({ client, token, onSignedIn }: InvitationScreenProps) {
  const words = invitationMessages();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [readFailure, setReadFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const accepting = useAction();
  const [password, setPassword] = useState('');
  const [pin, setPin] = useState('');
  const [pinFault, setPinFault] = useState<PinFault>(null);
  // Removes the link from the address, so that it doesn't stay in the history or appear in a screenshot.
  useEffect(() => history.replaceState(null, '', location.pathname), []);
  useEffect(() => {
    async function read(): Promise<void> {
      setReadFailure(null);
      try {
        setInvitation(await client.calls.readInvitation({ invitation_token: token }));
      } catch (error) {
        setReadFailure(error);
      }
    }
    void read();
  }, [client, token, attempt]);
  const failure = accepting.failure ?? readFailure;
  async function accept({ email }: Invitation): Promise<void> {
    const tabletPin = pin.trim();
    const body = { invitation_token: token, password, ...(tabletPin !== '' && { tablet_pin: tabletPin }) };
    await client.calls.acceptInvitation(body);
    if (client.who()) await client.signOut().catch(() => {});
    await client.signIn({ email, password });
    onSignedIn();
  }
  function submit(of: Invitation): void {
    // Without a PIN, the waiter can set one later.
    const isWrong = pin.trim() !== '' && !new RegExp(`^\\d{${tabletPinLength}}$`).test(pin.trim());
    setPinFault(isWrong ? 'length' : null);
    if (!isWrong) void accepting.run(() => accept(of));
  }
  const pinError = pinFault ?? (isWeakPin(accepting.failure) ? 'weak' : null);
  if (isInvalid(failure))
    return (
      <Frame>
        <h2 class="form-title">{words.invalid}</h2>
        <p role="alert">{words.invalidHint}</p>
        <Button kind="primary" size="large" onClick={() => goTo('#/')}>
          {words.toSignIn}
        </Button>
      </Frame>
    );
  return (
    <Frame>
      {failure !== null && !isWeakPin(failure) && <ErrorPanel words={failureWords(failure)} />}
      {invitation === null && failure !== null && (
        <Button onClick={() => setAttempt(attempt + 1)}>{words.tryAgain}</Button>
      )}
      {invitation && (
        <Form label={words.title(invitation.name)} onSubmit={() => submit(invitation)}>
          <h2 class="form-title">{words.title(invitation.name)}</h2>
          <p>{invitation.role === 'manager' ? words.youAre.manager : words.youAre.waiter}</p>
          <p>
            {words.signInWith} <strong>{invitation.email}</strong>
          </p>
          {/* Password managers store the password with this user name. */}
          <input type="hidden" autocomplete="username" value={invitation.email} />
          <PasswordField
            label={words.password}
            which="new"
            hint={words.passwordHint}
            value={password}
            onInput={setPassword}
          />
          {invitation.may_set_tablet_pin === true && (
            <Field
              label={words.pin}
              hint={words.pinHint}
              autocomplete="off"
              inputMode="numeric"
              maxLength={tabletPinLength}
              value={pin}
              error={pinError === null ? undefined : words.pinErrors[pinError]}
              onInput={(typed) => {
                setPin(typed);
                setPinFault(null);
                accepting.forgetFailure();
              }}
            />
          )}
          <Button type="submit" kind="primary" size="large" aria-disabled={accepting.isBusy}>
            {accepting.isBusy ? words.accepting : words.accept}
          </Button>
        </Form>
      )}
    </Frame>
  );
}

const Frame = ({ children }: { children: ComponentChildren }) => (
  <main class="sign-in">
    <div class="row wrap gap-3 sign-in-head">
      <h1>
        Comanda <small>{signInMessages().staff}</small>
      </h1>
      <LanguageButton />
    </div>
    {children}
  </main>
);
