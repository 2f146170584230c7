import { Icon } from '@comanda/ui/icon.tsx';

/** An error above the keys of a PIN pad. It takes little height, so that all keys stay in view. */
export const PadError = ({ title, text }: { title: string; text: string }) => (
  <div class="edge on-error-soft row gap-3 pad-error" role="alert">
    <Icon name="warning" />
    <p>
      <strong>{title}</strong>
      <br />
      {text}
    </p>
  </div>
);
