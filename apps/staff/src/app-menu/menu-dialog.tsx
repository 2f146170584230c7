import type { Client } from '@comanda/client/core';
import { SessionsDialog } from '../sessions-dialog.tsx';
import { TabletPinDialog } from '../tablet/tablet-pin-dialog.tsx';

export type DialogName = 'sessions' | 'tablet_pin';
type MenuDialogProps = { client: Client; name: DialogName; onClose: () => void };

/** The dialog that a menu entry opens. */
export const MenuDialog = ({ name, ...props }: MenuDialogProps) =>
  name === 'sessions' ? <SessionsDialog {...props} /> : <TabletPinDialog {...props} />;
