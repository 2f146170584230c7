import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { PasswordField } from '@comanda/ui/password-field.tsx';
import type { ManagerConsent } from '../consent/consent.ts';
import { messages } from '../../messages.ts';
import { managerMessages } from '../messages.ts';
import { shortName } from '../../short-name.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

type AddUserProps = { consent: ManagerConsent; onAdded: (user: User) => void };

export function AddUser({ consent, onAdded }: AddUserProps) {
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
