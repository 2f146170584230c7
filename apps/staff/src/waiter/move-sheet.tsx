import type { LiveOrder } from '@comanda/client/core';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import type { Table } from '@comanda/contracts/tables';
import { useState } from 'preact/hooks';
import { dishText } from '../bumps/ticket.ts';
import { movableItems } from './line-acts.ts';
import { lineMessages } from './line-messages.ts';
import './line-sheet.css';
import { MoveTo } from './move-to.tsx';
import { useSettling } from './use-settling.ts';
import type { WaiterSession } from './waiter-session.ts';
import { waiterMessages } from './messages.ts';

type MoveSheetProps = {
  session: WaiterSession;
  /** The order; undefined if the sheet is closed. */
  order: LiveOrder | undefined;
  onClose: () => void;
};

/** Moves an order to another table. Dishes that should stay are switched off first. */
export const MoveSheet = ({ session, order, onClose }: MoveSheetProps) => (
  <Dialog
    title={order ? waiterMessages().tables.moveLabel(order.ticket) : ''}
    isOpen={order !== undefined}
    onClose={onClose}
  >
    {order && <MoveForm key={order.id} session={session} order={order} onClose={onClose} />}
  </Dialog>
);

function MoveForm({ session, order, onClose }: MoveSheetProps & { order: LiveOrder }) {
  const words = lineMessages().move;
  /** The ids of the dishes that stay. */
  const [staying, setStaying] = useState<readonly number[]>([]);
  const { failure, run, forgetFailure } = useAction();
  const settling = useSettling();
  const items = movableItems(order);
  const moving = items.filter(({ id }) => !staying.includes(id));
  const units = moving.map((item) => ({ item, count: item.quantity }));
  const toggle = (id: number): void => {
    forgetFailure();
    setStaying(staying.includes(id) ? staying.filter((each) => each !== id) : [...staying, id]);
  };
  const move = async (to: Table): Promise<void> => {
    if (await run(() => session.moveDishes(order, { units, to }))) onClose();
  };
  return (
    <div class={classNames('waiter-line-sheet', settling)}>
      {items.length > 1 && (
        <div class="wrap gap-2 waiter-line-acts" role="group" aria-label={words.which}>
          {items.map((item) => (
            <Chip key={item.id} pressed={moving.includes(item)} onClick={() => toggle(item.id)}>
              {dishText(item)}
            </Chip>
          ))}
        </div>
      )}
      {moving.length === 0 ? (
        <p role="status">{words.none}</p>
      ) : (
        <MoveTo session={session} order={order} failure={failure} onChoose={(to) => void move(to)} />
      )}
    </div>
  );
}
