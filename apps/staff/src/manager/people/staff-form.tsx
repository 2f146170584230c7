import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { ChipChoice } from '../chip-choice.tsx';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';
import { messages } from '../../messages.ts';

const staffRoles = ['waiter', 'manager'] as const;
export type StaffMember = { name: string; email: string; role: (typeof staffRoles)[number] };
type StaffFormProps = {
  label: string;
  hint?: string;
  submit: string;
  /** Additional fields above the role. */
  children?: ComponentChildren;
  /** Called with the input. If this throws, the form shows the failure and keeps the input. */
  onSubmit: (member: StaffMember) => Promise<void>;
};

/** The form for a new staff member's name, e-mail address and role. */
export function StaffForm({ label, hint, submit, children, onSubmit }: StaffFormProps) {
  const words = managerMessages().users;
  const { failure, run, isBusy } = useAction();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<StaffMember['role']>('waiter');
  const send = (): void => void run(() => onSubmit({ name: name.trim(), email: email.trim(), role }));
  return (
    <Form class="manager-form" label={label} onSubmit={send}>
      {hint !== undefined && <p class="dim">{hint}</p>}
      <Field label={words.name} required autocomplete="off" value={name} onInput={setName} />
      <Field label={words.email} type="email" required autocomplete="off" value={email} onInput={setEmail} />
      {children}
      <ChipChoice
        legend={words.role}
        choices={staffRoles}
        chosen={role}
        nameOf={(each) => messages().roles[each]}
        onChoose={setRole}
      />
      <Failure of={failure} />
      <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
        {submit}
      </Button>
    </Form>
  );
}
