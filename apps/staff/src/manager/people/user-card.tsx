import type { Client } from '@comanda/client/core';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { passwordMessages } from '@comanda/ui/password-messages.ts';
import { ChipChoice } from '../chip-choice.tsx';
import type { ManagerConsent } from '../consent/consent.ts';
import { Failure } from '../failure.tsx';
import { invitePurpose, type Invited } from './invite-person.tsx';
import { managerMessages } from '../messages.ts';
import { shortName } from '../../short-name.ts';
import { messages } from '../../messages.ts';
import './user-card.css';

const roles = ['customer', 'waiter', 'manager'] as const;

type UserCardProps = {
  client: Client;
  consent: ManagerConsent;
  user: User;
  isOpen: boolean;
  onToggle: () => void;
  onChanged: (user: User) => void;
  onInvited: (invited: Invited) => void;
  /** Called after a PIN reset was approved, with the time until which it is valid. */
  onApproved: (until: string) => void;
};

/** A card for a user, with the changes that a manager can make. */
export function UserCard({ isOpen, onToggle, ...props }: UserCardProps) {
  const words = managerMessages().users;
  const { client, user } = props;
  const isYou = client.who()?.userId === user.id;
  const isGuest = user.email === null;
  const isWaited = typeof user.invited_until === 'string';
  const notes = [
    isYou && words.you,
    user.status === 'disabled' && (invitedNote(user, client.now()) ?? words.disabled),
    user.must_change_password && !isWaited && words.mustChange,
  ].filter((note) => note !== false);
  return (
    <article
      class={classNames('card stack gap-4 person', user.status === 'disabled' && !isWaited && 'person-disabled')}
      aria-label={user.name}
    >
      <div class="stack person-head">
        <div>
          <h2>{user.name}</h2>
          <p>{user.email ?? words.guest}</p>
        </div>
        <p class="person-role">
          {messages().roles[user.role]}
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

/** Returns until when an invitation is valid, as text; null if the user has no open invitation. */
function invitedNote({ invited_until: until }: User, now: number): string | null {
  const words = managerMessages().users;
  if (!until) return null;
  return Date.parse(until) > now ? words.invitedUntil(formatDay(until), formatTime(until)) : words.invitationOver;
}

/** Returns the texts that say what the PIN is for. */
const purposes = () => managerMessages().users.purpose;

type UserActionsProps = Omit<UserCardProps, 'isOpen' | 'onToggle'>;

function UserActions({ client, consent, user, onChanged, onInvited, onApproved }: UserActionsProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const { id, name } = user;
  const update = (purpose: () => string, part: { role?: User['role']; status?: User['status']; password?: string }) =>
    run(async () => onChanged(await consent.run({ call: 'updateUser', input: { id, ...part }, purpose })));
  const approveReset = (): Promise<boolean> =>
    run(async () => {
      const purpose = (): string => purposes().reset(shortName(name));
      const approved = await consent.run({ call: 'approveTransactionPasswordReset', input: { id }, purpose });
      onApproved(approved.expires_at);
    });
  const isActive = user.status === 'active';
  if (user.invited_until) return <InvitedActions {...{ client, consent, user, onChanged, onInvited }} />;
  return (
    <div class="stack gap-4 person-actions">
      <ChipChoice
        legend={words.role}
        choices={roles}
        chosen={user.role}
        nameOf={(role) => messages().roles[role]}
        onChoose={(role) =>
          user.role !== role && void update(() => purposes().role(shortName(name), messages().roles[role]), { role })
        }
      />
      <SetPassword
        isBusy={isBusy}
        onSet={(password) => update(() => purposes().password(shortName(name)), { password })}
      />
      <div class="manager-pair">
        <Button
          kind={isActive ? 'danger' : 'secondary'}
          size="small"
          aria-disabled={isBusy}
          onClick={() =>
            void (isActive
              ? update(() => purposes().disable(shortName(name)), { status: 'disabled' })
              : update(() => purposes().enable(shortName(name)), { status: 'active' }))
          }
        >
          {isActive ? words.disable : words.enable}
        </Button>
        <Button size="small" aria-disabled={isBusy} onClick={() => void approveReset()}>
          {words.approveReset}
        </Button>
      </div>
      <p class="dim">{words.resetHint}</p>
      <Failure of={failure} />
    </div>
  );
}

/** The actions for a person who was invited and has not accepted yet. */
function InvitedActions({ client, consent, user, onChanged, onInvited }: Omit<UserActionsProps, 'onApproved'>) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const { id, name, email } = user;
  const role = user.role === 'manager' ? 'manager' : 'waiter';
  const inviteAgain = (): Promise<boolean> =>
    run(async () => {
      const purpose = (): string => invitePurpose(name, role);
      onInvited(await consent.run({ call: 'inviteUser', input: { name, email: email ?? '', role }, purpose }));
    });
  const withdraw = (): Promise<boolean> =>
    run(async () => {
      await client.calls.withdrawInvitation({ id });
      onChanged({ ...user, invited_until: null });
    });
  return (
    <div class="stack gap-4 person-actions">
      <p class="dim">{words.inviteAgainHint}</p>
      <div class="manager-pair">
        <Button kind="danger" size="small" aria-disabled={isBusy} onClick={() => void withdraw()}>
          {words.withdraw}
        </Button>
        <Button size="small" aria-disabled={isBusy} onClick={() => void inviteAgain()}>
          {words.inviteAgain}
        </Button>
      </div>
      <Failure of={failure} />
    </div>
  );
}

type SetPasswordProps = {
  isBusy: boolean;
  /** Resolves to true if the password was set. */ onSet: (password: string) => Promise<boolean>;
};

function SetPassword({ isBusy, onSet }: SetPasswordProps) {
  const words = managerMessages().users;
  const [password, setPassword] = useState('');
  const set = async (): Promise<void> => {
    if (await onSet(password)) setPassword('');
  };
  return (
    <Form label={words.setPassword} class="stack gap-3 person-password" onSubmit={() => void set()}>
      <PasswordField
        label={passwordMessages().newPassword}
        which="new"
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
