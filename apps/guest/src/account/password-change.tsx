import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useGuest } from '../contexts.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';

type DialogProps = { isOpen: boolean; onClose: () => void; onChanged: () => void };
function PasswordDialog({ isOpen, onClose, onChanged }: DialogProps) {
  const words = accountMessages();
  const ui = passwordMessages();
  const { client } = useGuest();
  const [typed, setTyped] = useState({ current: '', password: '' });
  const reset = (): void => {
    onClose();
    setTyped({ current: '', password: '' });
  };
  const { failure, isBusy, run, forgetFailure } = useAction();
  async function change(): Promise<void> {
    await client.calls.changePassword(typed);
    reset();
    onChanged();
  }
  const close = (): void => {
    reset();
    forgetFailure();
  };
  return (
    <Dialog title={ui.changePassword} isOpen={isOpen} onClose={close}>
      <Form label={ui.changePassword} onSubmit={() => void run(change)}>
        <p>{words.passwordHint}</p>
        {failure !== null && <ErrorPanel words={accountFailureWords(failure)} />}
        <PasswordField
          label={words.currentPassword}
          which="current"
          value={typed.current}
          onInput={(current) => setTyped({ ...typed, current })}
        />
        <PasswordField
          label={ui.newPassword}
          which="new"
          hint={ui.newPasswordHint}
          value={typed.password}
          onInput={(password) => setTyped({ ...typed, password })}
        />
        <Button type="submit" kind="primary" aria-disabled={isBusy}>
          {ui.changePassword}
        </Button>
      </Form>
    </Dialog>
  );
}

/** Sets a new password, which signs out all other devices. */
export function PasswordChange() {
  const words = accountMessages();
  const { announce } = useGuest();
  const [isOpen, setIsOpen] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  const onChanged = (): void => {
    setIsChanged(true);
    announce(words.passwordChanged);
  };
  return (
    <section class="security-part">
      <h2 class="account-h2">{words.password}</h2>
      {isChanged && (
        <p class="account-good">
          <Icon name="check" size={20} /> {words.passwordChanged}
        </p>
      )}
      <div class="account-links">
        <Button onClick={() => setIsOpen(true)}>{passwordMessages().changePassword}</Button>
      </div>
      <PasswordDialog isOpen={isOpen} onClose={() => setIsOpen(false)} onChanged={onChanged} />
    </section>
  );
}
