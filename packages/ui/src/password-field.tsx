import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';

type Props = Pick<ComponentProps<typeof Field>, 'label' | 'value' | 'onInput' | 'hint'> & {
  /** For the browser's list of passwords: one that is known to it, or one to be made. */
  which: 'current' | 'new';
};

export const PasswordField = ({ which, ...field }: Props) => (
  <Field {...field} type="password" autocomplete={`${which}-password`} required />
);
