import type { Answer, Client } from '@comanda/client';
import type { ManagerConsent } from './consent.ts';
import { managerMessages } from './messages.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

export type Invited = Answer<'inviteUser'>;
type InvitePersonProps = { client: Client; consent: ManagerConsent; onInvited: (invited: Invited) => void };

/** Whom a link invites to the staff. */
export function InvitePerson({ client, consent, onInvited }: InvitePersonProps) {
  const words = managerMessages().users;
  async function invite(member: StaffMember): Promise<void> {
    const purpose = words.purpose.invite(member.name, words.roles[member.role]);
    onInvited(await consent.run(purpose, () => client.calls.inviteUser(member)));
  }
  return <StaffForm label={words.invite} hint={words.inviteHint} submit={words.makeLink} onSubmit={invite} />;
}
