import type { Client } from '@comanda/client/core';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { SessionList } from '@comanda/ui/session-list.tsx';
import { sessionMessages } from '@comanda/ui/session-messages.ts';
import { TabletPinDialog } from '../tablet/tablet-pin-dialog.tsx';

export type DialogName = 'sessions' | 'tablet_pin';
type MenuDialogProps = { client: Client; name: DialogName; onClose: () => void };

/** The dialog that a menu entry opens: this user's sessions, which can be ended one by one, or the tablet PIN. */
export const MenuDialog = ({ name, client, onClose }: MenuDialogProps) =>
  name === 'sessions' ? (
    <Dialog title={sessionMessages().title} isOpen onClose={onClose}>
      <SessionList client={client} />
    </Dialog>
  ) : (
    <TabletPinDialog client={client} onClose={onClose} />
  );
