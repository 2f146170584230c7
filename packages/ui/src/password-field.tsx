import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';

type Props = Pick<ComponentProps<typeof Field>, 'label' | 'value' | 'onInput' | 'hint'> & {
  /** Whether the browser should suggest the stored password or generate a new one. */
  which: 'current' | 'new';
};

export const PasswordField = ({ which, ...field }: Props) => (
  <Field {...field} type="password" autocomplete={`${which}-password`} required />
);
