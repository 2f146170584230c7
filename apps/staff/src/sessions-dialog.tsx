import type { Client } from '@comanda/client/core';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { sessionMessages } from '@comanda/ui/session-messages.ts';
import { SessionList } from '@comanda/ui/session-list.tsx';

/** The dialog that lists this user's sessions, which can be ended one by one. */
export const SessionsDialog = ({ client, onClose }: { client: Client; onClose: () => void }) => (
  <Dialog title={sessionMessages().title} isOpen onClose={onClose}>
    <SessionList client={client} />
  </Dialog>
);
