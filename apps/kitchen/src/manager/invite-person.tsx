import type { Answer, Client } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { ChipChoice } from './chip-choice.tsx';
import type { ManagerConsent } from './consent.ts';
import { Failure } from './failure.tsx';
import { managerMessages } from './messages.ts';

const staffRoles = ['waiter', 'manager'] as const;
export type Invited = Answer<'inviteUser'>;
type InvitePersonProps = { client: Client; consent: ManagerConsent; onInvited: (invited: Invited) => void };

/** Whom a link invites to the staff. */
export function InvitePerson({ client, consent, onInvited }: InvitePersonProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof staffRoles)[number]>('waiter');
  const invite = (): void =>
    void run(async () => {
      const person = { name: name.trim(), email: email.trim(), role };
      const purpose = words.purpose.invite(person.name, words.roles[role]);
      onInvited(await consent.run(purpose, () => client.calls.inviteUser(person)));
    });
  return (
    <Form class="manager-form" label={words.invite} onSubmit={invite}>
      <p class="manager-dim">{words.inviteHint}</p>
      <Field label={words.name} required autocomplete="off" value={name} onInput={setName} />
      <Field label={words.email} type="email" required autocomplete="off" value={email} onInput={setEmail} />
      <ChipChoice
        legend={words.role}
        choices={staffRoles}
        chosen={role}
        nameOf={(each) => words.roles[each]}
        onChoose={setRole}
      />
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {words.makeLink}
      </Button>
    </Form>
  );
}
