import type { Client } from '@comanda/client';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Field } from '@comanda/ui/field.tsx';
import type { ManagerConsent } from './consent.ts';
import { managerMessages } from './messages.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

type AddUserProps = { client: Client; consent: ManagerConsent; onAdded: (user: User) => void };

export function AddUser({ client, consent, onAdded }: AddUserProps) {
  const words = managerMessages().users;
  const [password, setPassword] = useState('');
  async function add(member: StaffMember): Promise<void> {
    const purpose = words.purpose.add(member.name, words.roles[member.role]);
    onAdded(await consent.run(purpose, () => client.calls.createUser({ ...member, password })));
  }
  return (
    <StaffForm label={words.add} submit={words.create} onSubmit={add}>
      <Field
        label={words.password}
        type="password"
        required
        autocomplete="new-password"
        hint={words.passwordHint}
        value={password}
        onInput={setPassword}
      />
    </StaffForm>
  );
}
