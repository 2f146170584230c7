import type { Client } from '@comanda/client';
import type { User } from '@comanda/contracts/users';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import { ChipChoice } from './chip-choice.tsx';
import type { ManagerConsent } from './consent.ts';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';

const staffRoles = ['waiter', 'manager'] as const;
type AddUserProps = { client: Client; consent: ManagerConsent; onAdded: (user: User) => void };

export function AddUser({ client, consent, onAdded }: AddUserProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<(typeof staffRoles)[number]>('waiter');
  const add = (): void =>
    void run(async () => {
      const user = { name: name.trim(), email: email.trim(), password, role };
      onAdded(await consent.run(words.purpose.add(user.name, words.roles[role]), () => client.calls.createUser(user)));
    });
  return (
    <Form class="manager-form" label={words.add} onSubmit={add}>
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
      <ChipChoice
        legend={words.role}
        choices={staffRoles}
        chosen={role}
        nameOf={(each) => words.roles[each]}
        onChoose={setRole}
      />
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.create}
      </Button>
    </Form>
  );
}
