import type { Client } from '@comanda/client';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import { useAction } from '../parts/use-action.ts';
import { usePages } from '../parts/use-pages.ts';
import { withConsent } from './consent.ts';
import { managerFailureWords, managerMessages } from './messages.ts';

const staffRoles = ['waiter', 'manager'] as const;
const allRoles = ['customer', ...staffRoles] as const;
const pageSize = 100;

/** Users, newest first; every change asks for the PIN. */
export function PeoplePage({ client }: { client: Client }) {
  const words = managerMessages().users;
  const users = usePages<User>(() => client.pages('listUsers', { limit: pageSize }));
  const [isAdding, setIsAdding] = useState(false);
  const [staffOnly, setStaffOnly] = useState(true);
  const [openId, setOpenId] = useState<number | null>(null);
  const [notice, setNotice] = useState('');
  // The last page is not full.
  const hasMore = users.hasMore && users.items.length > 0 && users.items.length % pageSize === 0;
  const shown = users.items.filter(({ role }) => !staffOnly || role !== 'customer');
  const change = (user: User): void => {
    users.replace(user, ({ id }) => id === user.id);
    setNotice(words.changed(user.name));
  };
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.users}</h1>
        <p>{users.items.length > 0 && (hasMore ? words.readSoFar : words.read)(shown.length)}</p>
        <Chip pressed={staffOnly} onClick={() => setStaffOnly(!staffOnly)}>
          {words.staffOnly}
        </Chip>
        <Button kind="primary" size="small" aria-expanded={isAdding} onClick={() => setIsAdding(!isAdding)}>
          {words.add}
        </Button>
      </div>
      <p role="status" class="manager-notice">
        {notice}
      </p>
      {isAdding && (
        <AddUser
          client={client}
          onAdded={(user) => {
            setIsAdding(false);
            setNotice(words.added(user.name));
            users.reload();
          }}
        />
      )}
      {users.failure !== null && (
        <ErrorPanel words={managerFailureWords(users.failure)}>
          <Button size="small" onClick={users.reload}>
            {managerMessages().tryAgain}
          </Button>
        </ErrorPanel>
      )}
      {users.items.length > 0 && shown.length === 0 && <p>{words.noneOnPage}</p>}
      <ul class="people">
        {shown.map((user) => (
          <li key={user.id}>
            <UserCard
              client={client}
              user={user}
              isOpen={user.id === openId}
              onToggle={() => setOpenId(user.id === openId ? null : user.id)}
              onChanged={change}
              onNotice={setNotice}
            />
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button size="small" aria-disabled={users.isBusy} onClick={users.more}>
          {users.isBusy ? managerMessages().reading : managerMessages().more}
        </Button>
      )}
    </>
  );
}

function AddUser({ client, onAdded }: { client: Client; onAdded: (user: User) => void }) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<(typeof staffRoles)[number]>('waiter');
  const add = (): void =>
    void run(async () => {
      const user = { name: name.trim(), email: email.trim(), password, role };
      const added = await withConsent(words.purpose.add(user.name, words.roles[role]), () =>
        client.calls.createUser(user),
      );
      onAdded(added);
    });
  return (
    <form
      class="manager-form"
      aria-label={words.add}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field label={words.name} required autocomplete="off" value={name} onInput={setName} />
      <Field label={words.email} type="email" required autocomplete="off" value={email} onInput={setEmail} />
      <Field
        label={words.password}
        type="password"
        required
        autocomplete="new-password"
        hint={words.passwordHint}
        value={password}
        onInput={setPassword}
      />
      <fieldset class="people-roles">
        <legend>{words.role}</legend>
        {staffRoles.map((each) => (
          <Chip key={each} pressed={role === each} onClick={() => setRole(each)}>
            {words.roles[each]}
          </Chip>
        ))}
      </fieldset>
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.create}
      </Button>
    </form>
  );
}

type UserCardProps = {
  client: Client;
  user: User;
  isOpen: boolean;
  onToggle: () => void;
  onChanged: (user: User) => void;
  onNotice: (text: string) => void;
};

function UserCard({ client, user, isOpen, onToggle, onChanged, onNotice }: UserCardProps) {
  const words = managerMessages().users;
  const isYou = client.who()?.userId === user.id;
  const isGuest = user.email === null;
  const notes = [
    isYou && words.you,
    user.status === 'disabled' && words.disabled,
    user.must_change_password && words.mustChange,
  ].filter((note) => note !== false);
  return (
    <article class={`person ${user.status === 'disabled' ? 'person-disabled' : ''}`} aria-label={user.name}>
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
      {isOpen && <UserActions client={client} user={user} onChanged={onChanged} onNotice={onNotice} />}
    </article>
  );
}

type UserActionsProps = Pick<UserCardProps, 'client' | 'user' | 'onChanged' | 'onNotice'>;

function UserActions({ client, user, onChanged, onNotice }: UserActionsProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const [password, setPassword] = useState('');
  const { id, name } = user;
  const update = (purpose: string, part: { role?: User['role']; status?: User['status']; password?: string }) =>
    run(async () => onChanged(await withConsent(purpose, () => client.calls.updateUser({ id, ...part }))));
  const isActive = user.status === 'active';
  return (
    <div class="person-actions">
      <fieldset class="people-roles">
        <legend>{words.role}</legend>
        {allRoles.map((role) => (
          <Chip
            key={role}
            pressed={user.role === role}
            onClick={() => user.role !== role && void update(words.purpose.role(name, words.roles[role]), { role })}
          >
            {words.roles[role]}
          </Chip>
        ))}
      </fieldset>
      <form
        class="person-password"
        aria-label={words.setPassword}
        onSubmit={(event) => {
          event.preventDefault();
          void update(words.purpose.password(name), { password }).then((isDone) => isDone && setPassword(''));
        }}
      >
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
      </form>
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
        <Button
          size="small"
          aria-disabled={isBusy}
          onClick={() =>
            void run(async () => {
              const { expires_at: until } = await withConsent(words.purpose.reset(name), () =>
                client.calls.approveTransactionPasswordReset({ id }),
              );
              onNotice(words.approved(name, formatTime(until)));
            })
          }
        >
          {words.approveReset}
        </Button>
      </div>
      <p class="manager-dim">{words.resetHint}</p>
      {failure !== null && <ErrorPanel words={managerFailureWords(failure)} />}
    </div>
  );
}
