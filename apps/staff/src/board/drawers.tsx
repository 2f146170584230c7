import type { Client } from '@comanda/client/core';
import { AllDay } from './all-day.tsx';
import type { BoardSession } from './board-session.ts';
import { Drawer } from './drawer.tsx';
import { Legend } from '../shift/legend.tsx';
import { messages } from '../messages.ts';
import { Recall } from './recall.tsx';
import { SoldOut } from './sold-out.tsx';

export type DrawerName = 'all_day' | 'recall' | 'sold_out' | 'legend';
type DrawersProps = {
  name: DrawerName | null;
  client: Client;
  session: BoardSession;
  /** True if All-day is a narrow strip beside the tickets. */
  isStrip: boolean;
  onClose: () => void;
};

/** Shows the open drawer. */
export function Drawers({ name, client, session, isStrip, onClose }: DrawersProps) {
  if (name === 'all_day') return <AllDay {...{ session, isStrip, onClose }} />;
  if (name === 'recall') return <Recall client={client} session={session} onClose={onClose} />;
  if (name === 'legend')
    return (
      <Drawer title={messages().legendTitle} onClose={onClose}>
        <Legend />
      </Drawer>
    );
  return name && <SoldOut client={client} onClose={onClose} />;
}
