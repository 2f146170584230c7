import type { Client } from '@comanda/client';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import { SessionList } from '@comanda/ui/session-list.tsx';

/** Where this user is signed in, to be ended one by one. */
export const SessionsDialog = ({ client, onClose }: { client: Client; onClose: () => void }) => (
  <Dialog title={uiMessages().sessions.title} isOpen onClose={onClose}>
    <SessionList client={client} />
  </Dialog>
);
