import type { Answer, Client } from '@comanda/client';
import type { ManagerConsent } from './consent.ts';
import { managerMessages } from './messages.ts';
import { shortName } from '../short-name.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

export type Invited = Answer<'inviteUser'>;
type InvitePersonProps = { client: Client; consent: ManagerConsent; onInvited: (invited: Invited) => void };

/** What the PIN is for. */
export function invitePurpose(name: string, role: StaffMember['role']): string {
  const { purpose, roles } = managerMessages().users;
  return purpose.invite(shortName(name), roles[role]);
}

/** Whom a link invites to the staff. */
export function InvitePerson({ client, consent, onInvited }: InvitePersonProps) {
  const words = managerMessages().users;
  async function invite(member: StaffMember): Promise<void> {
    onInvited(
      await consent.run(
        () => invitePurpose(member.name, member.role),
        () => client.calls.inviteUser(member),
      ),
    );
  }
  return <StaffForm label={words.invite} hint={words.inviteHint} submit={words.makeLink} onSubmit={invite} />;
}
