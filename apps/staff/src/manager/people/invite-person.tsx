import type { Answer } from '@comanda/client/core';
import type { ManagerConsent } from '../consent/consent.ts';
import { messages } from '../../messages.ts';
import { managerMessages } from '../messages.ts';
import { shortName } from '../../short-name.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

export type Invited = Answer<'inviteUser'>;
type InvitePersonProps = { consent: ManagerConsent; onInvited: (invited: Invited) => void };

/** Returns the text that says what the PIN is for. */
export function invitePurpose(name: string, role: StaffMember['role']): string {
  return managerMessages().users.purpose.invite(shortName(name), messages().roles[role]);
}

/** The form for a link that invites a person to the staff. */
export function InvitePerson({ consent, onInvited }: InvitePersonProps) {
  const words = managerMessages().users;
  async function invite(member: StaffMember): Promise<void> {
    const purpose = (): string => invitePurpose(member.name, member.role);
    onInvited(await consent.run({ call: 'inviteUser', input: member, purpose }));
  }
  return <StaffForm label={words.invite} hint={words.inviteHint} submit={words.makeLink} onSubmit={invite} />;
}
