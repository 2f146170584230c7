import type { ComponentProps } from 'preact';
import { Field } from './field.tsx';

type Props = Pick<ComponentProps<typeof Field>, 'label' | 'value' | 'onInput' | 'hint'> & {
  /** The password that the browser should suggest: a stored one, or a newly generated one. */
  which: 'current' | 'new';
};

export const PasswordField = ({ which, ...field }: Props) => (
  <Field {...field} type="password" autocomplete={`${which}-password`} required />
);
