import { Icon } from '@comanda/ui/icon.tsx';
import { useRouter } from './contexts.ts';
import { messages } from './messages.ts';

export const BackLink = () => (
  <button type="button" class="back-link" onClick={useRouter().backToMenu}>
    <Icon name="back" />
    {messages().menu}
  </button>
);
