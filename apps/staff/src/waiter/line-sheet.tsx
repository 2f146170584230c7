import type { LiveOrder } from '@comanda/client/core';
import { wasDelivered } from '@comanda/client/transitions';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { OptionLines } from '@comanda/ui/options/option-lines.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { type OrderItem, dishText } from '../bumps/ticket.ts';
import { needsReason } from '../reasons/needs-reason.ts';
import { ReasonChoice } from '../reasons/reason-choice.tsx';
import type { Line } from './by-table.ts';
import { lineMessages } from './line-messages.ts';
import './dish-sheet.css';
import './line-sheet.css';
import { waiterMessages } from './messages.ts';
import { MoveTo } from './move-to.tsx';
import { Refusal } from './refusal.tsx';
import { useSettling } from './use-settling.ts';
import type { WaiterSession } from './waiter-session.ts';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { activeStatuses } from '@comanda/ui/bill/line-state.ts';
import { formatTime } from '@comanda/ui/format.ts';
import { billWords } from './bill/messages.ts';

const acts = ['off', 'move', 'remake'] as const;
/** Returns the possible actions. A component moves only with its combo. */
const actsOf = ({ part_of: combo }: OrderItem) => acts.filter((act) => act !== 'move' || typeof combo !== 'number');

type LineSheetProps = {
  session: WaiterSession;
  /** The dish; undefined if the sheet is closed. */
  line: Line | undefined;
  onClose: () => void;
};

/** What can be done with one dish of an order: some or all of its units are taken off, moved to another bill, or made again. */
export const LineSheet = ({ session, line, onClose }: LineSheetProps) => (
  <Dialog title={line ? dishText(line.item) : ''} isOpen={line !== undefined} onClose={onClose}>
    {line && <LineForm key={line.item.id} session={session} line={line} onClose={onClose} />}
  </Dialog>
);

function LineForm({ session, line, onClose }: LineSheetProps & { line: Line }) {
  const words = lineMessages();
  const { order, item } = line;
  // A served dish is rather made again, because only a manager can take it off.
  const isForManagers = wasDelivered(item) && !session.isManager;
  const [act, setAct] = useState<(typeof acts)[number]>(isForManagers ? 'remake' : 'off');
  const [chosenCount, setCount] = useState(1);
  const [typed, setReason] = useState('');
  const { isBusy, failure, run, forgetFailure } = useAction();
  const settling = useSettling();
  const count = Math.min(chosenCount, item.quantity);
  const reason = typed.trim();
  const units = { item, count, reason };
  const dishes = dishText({ ...item, quantity: count });
  const paid = act === 'remake' ? null : paidText(session, order, item);
  const why = paid ?? (act === 'off' && isForManagers ? words.off.served : null);
  const needsWhy = act === 'remake' || (act === 'off' && needsReason(item.status));
  const choose = (next: (typeof acts)[number]): void => {
    forgetFailure();
    setReason('');
    setAct(next);
  };
  const make = async (action: () => Promise<void>): Promise<void> => {
    if (await run(action)) onClose();
  };
  return (
    <div class={classNames('waiter-line-sheet', settling)}>
      <div class="waiter-line-about">
        <OptionLines options={item.options} dishes={item.quantity} />
        {item.remarks !== '' && <mark>{item.remarks}</mark>}
        <p class="dim">{words.about(order.ticket, waiterMessages().tables.status[item.status])}</p>
      </div>
      <div class="wrap gap-2 waiter-line-acts" role="group" aria-label={words.acts.label}>
        {actsOf(item).map((each) => (
          <Chip key={each} pressed={act === each} onClick={() => choose(each)}>
            {words.acts[each]}
          </Chip>
        ))}
      </div>
      {why !== null && (
        <p class="edge on-amber-soft row gap-2 waiter-line-not">
          <Icon name="warning" size={22} /> <span>{why}</span>
        </p>
      )}
      {why === null && item.quantity > 1 && (
        <div class="wrap gap-2 waiter-line-count">
          <Stepper
            value={count}
            min={1}
            max={item.quantity}
            of={words.howMany}
            shown={words.countOf(count, item.quantity)}
            onChange={setCount}
          />
          <Chip pressed={count === item.quantity} onClick={() => setCount(item.quantity)}>
            {words.all(item.quantity)}
          </Chip>
        </div>
      )}
      {why === null && act === 'move' && (
        <MoveTo
          session={session}
          order={order}
          failure={failure}
          onChoose={(to) => void make(() => session.moveDishes(order, { units: [units], to }))}
        />
      )}
      {why === null && act !== 'move' && (
        <>
          <p>{act === 'remake' ? words.remake.text : words.off[item.status === 'received' ? 'notBegun' : 'begun']}</p>
          {needsWhy && (
            <ReasonChoice
              key={act}
              of={act === 'off' ? 'cancellation' : 'remake'}
              reason={typed}
              onChange={setReason}
            />
          )}
          <div class="waiter-sheet-foot">
            {failure !== null && <Refusal failure={failure} />}
            <Button
              kind={act === 'off' ? 'danger' : 'primary'}
              aria-disabled={isBusy || (needsWhy && reason === '')}
              onClick={() =>
                void make(() => (act === 'off' ? session.takeOff(order, units) : session.remake(order, units)))
              }
            >
              {words[act].yes(dishes)}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/**
 * Says who has paid for a dish, if its line of the bill is paid or is being paid: it can't be taken off or moved then. Null if it
 * isn't.
 */
function paidText({ paying }: WaiterSession, order: LiveOrder, item: OrderItem): string | null {
  const bill = paying.bills.value.find(({ id }) => id === order.bill_id);
  const line = bill?.lines.find(({ id }) => id === item.id);
  if (!bill || !line || line.settled.count === 0) return null;
  const payment = bill.payments.find(
    ({ status, part }) => activeStatuses.has(status) && (part.lines ?? []).some(({ line_id: id }) => id === item.id),
  );
  return payment ? textOf(payment) : null;
}

function textOf({ status, method, payer, settled_at: settledAt, created_at: createdAt }: BillPayment): string {
  const words = lineMessages();
  if (status === 'reserved' || status === 'claimed') return words.beingPaid;
  const time = formatTime(settledAt ?? createdAt);
  return payer ? words.paidBy(payer.name, time) : words.paidWith(billWords().methods[method], time);
}
