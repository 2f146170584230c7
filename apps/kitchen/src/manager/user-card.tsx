import type { Client } from '@comanda/client';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { ChipChoice } from './chip-choice.tsx';
import type { ManagerConsent } from './consent.ts';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';
import './user-card.css';

const roles = ['customer', 'waiter', 'manager'] as const;

type UserCardProps = {
  client: Client;
  consent: ManagerConsent;
  user: User;
  isOpen: boolean;
  onToggle: () => void;
  onChanged: (user: User) => void;
  onNotice: (text: string) => void;
};

/** A person, and the changes of a manager. */
export function UserCard({ isOpen, onToggle, ...props }: UserCardProps) {
  const words = managerMessages().users;
  const { client, user } = props;
  const isYou = client.who()?.userId === user.id;
  const isGuest = user.email === null;
  const notes = [
    isYou && words.you,
    user.status === 'disabled' && words.disabled,
    user.must_change_password && words.mustChange,
  ].filter((note) => note !== false);
  return (
    <article class={classNames('person', user.status === 'disabled' && 'person-disabled')} aria-label={user.name}>
      <div class="person-head">
        <div>
          <h2>{user.name}</h2>
          <p>{user.email ?? words.guest}</p>
        </div>
        <p class="person-role">
          {words.roles[user.role]}
          {notes.length > 0 && <span>{notes.join(', ')}</span>}
        </p>
        {!isYou && !isGuest && (
          <Button
            size="small"
            aria-label={isOpen ? `${managerMessages().close} ${user.name}` : words.manage(user.name)}
            aria-expanded={isOpen}
            onClick={onToggle}
          >
            {isOpen ? managerMessages().close : words.change}
          </Button>
        )}
      </div>
      {isOpen && <UserActions {...props} />}
    </article>
  );
}

type UserActionsProps = Omit<UserCardProps, 'isOpen' | 'onToggle'>;

function UserActions({ client, consent, user, onChanged, onNotice }: UserActionsProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const { id, name } = user;
  const update = (purpose: string, part: { role?: User['role']; status?: User['status']; password?: string }) =>
    run(async () => onChanged(await consent.run(purpose, () => client.calls.updateUser({ id, ...part }))));
  const approveReset = (): Promise<boolean> =>
    run(async () => {
      const { expires_at: until } = await consent.run(words.purpose.reset(name), () =>
        client.calls.approveTransactionPasswordReset({ id }),
      );
      onNotice(words.approved(name, formatTime(until)));
    });
  const isActive = user.status === 'active';
  return (
    <div class="person-actions">
      <ChipChoice
        legend={words.role}
        choices={roles}
        chosen={user.role}
        nameOf={(role) => words.roles[role]}
        onChoose={(role) => user.role !== role && void update(words.purpose.role(name, words.roles[role]), { role })}
      />
      <SetPassword isBusy={isBusy} onSet={(password) => update(words.purpose.password(name), { password })} />
      <div class="manager-pair">
        <Button
          kind={isActive ? 'danger' : 'secondary'}
          size="small"
          aria-disabled={isBusy}
          onClick={() =>
            void (isActive
              ? update(words.purpose.disable(name), { status: 'disabled' })
              : update(words.purpose.enable(name), { status: 'active' }))
          }
        >
          {isActive ? words.disable : words.enable}
        </Button>
        <Button size="small" aria-disabled={isBusy} onClick={() => void approveReset()}>
          {words.approveReset}
        </Button>
      </div>
      <p class="manager-dim">{words.resetHint}</p>
      <Failure of={failure} />
    </div>
  );
}

type SetPasswordProps = {
  isBusy: boolean;
  /** Resolves to whether it was set. */ onSet: (password: string) => Promise<boolean>;
};

function SetPassword({ isBusy, onSet }: SetPasswordProps) {
  const words = managerMessages().users;
  const [password, setPassword] = useState('');
  const set = async (): Promise<void> => {
    if (await onSet(password)) setPassword('');
  };
  return (
    <Form label={words.setPassword} class="person-password" onSubmit={() => void set()}>
      <Field
        label={words.newPassword}
        type="password"
        required
        autocomplete="new-password"
        hint={words.passwordHint}
        value={password}
        onInput={setPassword}
      />
      <Button type="submit" size="small" aria-disabled={isBusy}>
        {words.setPassword}
      </Button>
    </Form>
  );
}
