import { Icon } from '@comanda/ui/icon.tsx';

/** What is wrong in a part of the form that isn't one field. */
export const Fault = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="field-error group-fault" tabIndex={-1}>
      <Icon name="warning" size={20} /> {text}
    </p>
  );
