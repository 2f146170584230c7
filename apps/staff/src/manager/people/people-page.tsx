import type { Client } from '@comanda/client/core';
import type { User } from '@comanda/contracts/users';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { formatDay, formatTime } from '@comanda/ui/format.ts';
import { InvitePerson, type Invited } from './invite-person.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { PagedList } from '../paged-list.tsx';
import { UserCard } from './user-card.tsx';
import { usePages } from '../use-pages.ts';
import { copyText } from '@comanda/ui/copy-text.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import './invitation-link.css';
import { QrCode } from '@comanda/ui/qr-code.tsx';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import type { ManagerConsent } from '../consent/consent.ts';
import { messages } from '../../messages.ts';
import { shortName } from '../../short-name.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

const pageSize = 100;

/** The last change that was made to a person. After an approved reset, a new PIN can be chosen until `until`. */
type PersonNotice = { kind: 'changed' | 'added'; name: string } | { kind: 'approved'; name: string; until: string };
function textOf(notice: PersonNotice): string {
  const words = managerMessages().users;
  return notice.kind === 'approved'
    ? words.approved(notice.name, formatTime(notice.until))
    : words[notice.kind](notice.name);
}

/** Lists users, newest first. Every change to a user needs the manager's PIN. */
export function PeoplePage({ client, session }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().users;
  const users = usePages<User>(() => client.pages('listUsers', { limit: pageSize }), pageSize);
  const [form, setForm] = useState<'invite' | 'add' | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const [staffOnly, setStaffOnly] = useState(true);
  const [openId, setOpenId] = useState<number | null>(null);
  const [notice, setNotice] = useState<PersonNotice | null>(null);
  const shown = users.items.filter(({ role }) => !staffOnly || role !== 'customer');
  const change = (user: User): void => {
    users.replace(user, ({ id }) => id === user.id);
    setNotice({ kind: 'changed', name: user.name });
  };
  const toggle = (other: 'invite' | 'add'): void => {
    setInvited(null);
    setForm(form === other ? null : other);
  };
  const showLink = (made: Invited): void => {
    setForm(null);
    setOpenId(null);
    setNotice(null);
    setInvited(made);
    users.reload();
  };
  return (
    <>
      <div class="manager-head">
        <h1>{managerMessages().nav.users}</h1>
        <p>{users.items.length > 0 && (users.hasMore ? words.readSoFar : words.read)(shown.length)}</p>
        <Chip pressed={staffOnly} onClick={() => setStaffOnly(!staffOnly)}>
          {words.staffOnly}
        </Chip>
        <Button size="small" aria-expanded={form === 'add'} onClick={() => toggle('add')}>
          {words.add}
        </Button>
        <Button kind="primary" size="small" aria-expanded={form === 'invite'} onClick={() => toggle('invite')}>
          {words.invite}
        </Button>
      </div>
      <p role="status" class="manager-notice">
        {notice && textOf(notice)}
      </p>
      {invited && <InvitationLink invited={invited} onDone={() => setInvited(null)} />}
      {form === 'invite' && <InvitePerson consent={session.consent} onInvited={showLink} />}
      {form === 'add' && (
        <AddUser
          consent={session.consent}
          onAdded={(user) => {
            setForm(null);
            setNotice({ kind: 'added', name: user.name });
            users.reload();
          }}
        />
      )}
      <PagedList list={users} empty="">
        {() =>
          shown.length === 0 ? (
            <p>{words.noneOnPage}</p>
          ) : (
            <ul class="stack gap-2 people">
              {shown.map((user) => (
                <li key={user.id}>
                  <UserCard
                    client={client}
                    consent={session.consent}
                    user={user}
                    isOpen={user.id === openId}
                    onToggle={() => setOpenId(user.id === openId ? null : user.id)}
                    onChanged={change}
                    onInvited={showLink}
                    onApproved={(until) => setNotice({ kind: 'approved', name: user.name, until })}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </PagedList>
    </>
  );
}

/** Shows an invitation's link once, so that the person can scan it or the manager can send it. */
function InvitationLink({ invited: { user, url }, onDone }: { invited: Invited; onDone: () => void }) {
  const words = managerMessages().users;
  const [isCopied, setIsCopied] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const link = useRef<HTMLElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copy = async (): Promise<void> => setIsCopied(await copyText(url, link.current));
  const until = user.invited_until ?? '';
  return (
    <section class="manager-form invitation-link" aria-label={words.linkOf(user.name)}>
      <h2 ref={heading} tabIndex={-1} class="manager-subtitle">
        {words.linkOf(user.name)}
      </h2>
      <p>{words.linkHint}</p>
      <QrCode text={url} label={words.linkCode(user.name)} />
      <code ref={link}>{url}</code>
      <p class="dim">{words.linkUntil(formatDay(until), formatTime(until))}</p>
      <div class="manager-pair">
        <Button size="small" icon={<Icon name="copy" size={20} />} onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? words.linkCopied : words.copyLink}</span>
        </Button>
        <Button kind="primary" size="small" onClick={onDone}>
          {words.linkDone}
        </Button>
      </div>
    </section>
  );
}

type AddUserProps = { consent: ManagerConsent; onAdded: (user: User) => void };

function AddUser({ consent, onAdded }: AddUserProps) {
  const words = managerMessages().users;
  const [password, setPassword] = useState('');
  async function add(member: StaffMember): Promise<void> {
    const purpose = (): string =>
      managerMessages().users.purpose.add(shortName(member.name), messages().roles[member.role]);
    onAdded(await consent.run({ call: 'createUser', input: { ...member, password }, purpose }));
  }
  return (
    <StaffForm label={words.add} submit={words.create} onSubmit={add}>
      <PasswordField
        label={words.password}
        which="new"
        hint={words.passwordHint}
        value={password}
        onInput={setPassword}
      />
    </StaffForm>
  );
}
