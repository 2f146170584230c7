import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { backToMenu } from '../state/route.ts';

export const BackLink = () => (
  <button type="button" class="back-link" onClick={backToMenu}>
    <Icon name="back" />
    {messages().menu}
  </button>
);
