import type { Client } from '@comanda/client/core';
import { AllDay } from './all-day.tsx';
import type { BoardSession } from './board-session.ts';
import { Drawer } from './drawer.tsx';
import { Legend } from '../shift/legend.tsx';
import { messages } from '../messages.ts';
import { SoldOut } from './sold-out.tsx';
import { useEffect, useState } from 'preact/hooks';
import { formatTime } from '@comanda/ui/format.ts';
import type { Bump } from '../bumps/bump.ts';
import { drawerMessages } from './messages.ts';
import { maxRecalls } from './done-bumps.ts';
import { readHandedOver } from './handed-over.ts';
import './recall.css';
import { tableName } from './table-name.ts';

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

type Props = { client: Client; session: BoardSession; onClose: () => void };

/**
 * Lists the orders that this screen has bumped, each with its newest bump, and those that other screens have handed over. A tap
 * recalls an order.
 */
function Recall({ client, session, onClose }: Props) {
  const words = drawerMessages().recallDrawer;
  const { recalls } = session.done;
  /** Recalls the order, and closes the drawer: another tap at the same place would undo an earlier bump. */
  const bringBack = (bump: Bump): void => {
    session.board.undo(bump);
    onClose();
  };
  const station = session.device.settings.station.value;
  const rules = session.stationSettings.rules.value;
  /** The orders that other screens have handed over. Undefined until they are loaded; null if that failed. */
  const [handedOver, setHandedOver] = useState<readonly Bump[] | null>();
  useEffect(() => void readHandedOver(client, station, rules).then(setHandedOver), [client, station, rules]);
  const rows = [...recalls.value, ...(handedOver ?? [])]
    .filter(({ orderId }, at, all) => all.findIndex((bump) => bump.orderId === orderId) === at)
    .slice(0, maxRecalls);
  return (
    <Drawer title={messages().board.recall} onClose={onClose}>
      {handedOver === null && <p>{words.notLoaded}</p>}
      {handedOver !== null && rows.length === 0 && <p>{handedOver ? words.empty : drawerMessages().board.notRead}</p>}
      <ul class="recalls">
        {rows.map((bump) => (
          <li key={bump.id}>
            <span>
              <strong>
                {tableName(bump.table)} #{bump.ticket}
              </strong>
              <small>
                {formatTime(bump.atMs)} · {messages().ticket.status[bump.moves[0]?.to ?? 'ready']}
              </small>
              <span>{bump.dishes?.join(', ')}</span>
            </span>
            <button type="button" aria-label={words.takeBack(bump.ticket)} onClick={() => bringBack(bump)}>
              {words.bringBack}
            </button>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
