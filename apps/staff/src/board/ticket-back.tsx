import { useEffect, useRef, useState } from 'preact/hooks';
import { Ask } from '@comanda/ui/ask.tsx';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { wasDelivered } from '@comanda/client/transitions';
import { messages } from '../messages.ts';
import { needsReason } from '../reasons/needs-reason.ts';
import { ReasonChoice } from '../reasons/reason-choice.tsx';
import { drawerMessages } from './messages.ts';
import { createCancelRequests } from './cancel-requests.ts';
import { cancelRuleOf } from './cancel-rule.ts';
import type { BoardCard } from './card.ts';
import { kitchenName, previousStatus, type OrderItem } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import './ticket-back.css';

/** The question that is open: about the whole order, or about one dish. */
type Asking = 'order' | { act: 'off' | 'remake'; id: number } | null;
export type BackProps = { session: BoardSession; card: BoardCard; onClose: () => void };

/**
 * The back of a ticket, with buttons to undo or cancel single dishes, to print the ticket, and to cancel the order. It asks
 * before anything that can't be undone.
 */
export function TicketBack({ session, card, onClose }: BackProps) {
  const words = drawerMessages().ticketBack;
  const { ticket, look } = card;
  const requests = createCancelRequests(session.cancelDeps);
  const [asking, setAsking] = useState<Asking>(null);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.querySelector('button')?.focus(), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || asking !== null) return; // Escape closes an open question first.
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [asking, onClose]);
  const isStill = look === 'cancelled';
  const isManager = session.cancelDeps.isManager();
  const { mayCancel, asksWhy } = cancelRuleOf(ticket, isManager);
  return (
    <div class="column ticket-back" ref={element}>
      <ul hidden={asking === 'order' && asksWhy}>
        {ticket.items.map((item) => (
          <li key={item.id}>
            {asking !== null && asking !== 'order' && asking.id === item.id ? (
              <AskUnits
                act={asking.act}
                item={item}
                onYes={({ quantity, reason }) => {
                  const itemId = item.id;
                  const left = item.quantity - quantity;
                  if (asking.act === 'remake') void requests.remake(ticket, { itemId, quantity, reason: reason ?? '' });
                  else
                    void requests.cancelItem(ticket, {
                      itemId,
                      ...(left > 0 && { quantityLeft: left }),
                      ...(reason !== undefined && { reason }),
                    });
                }}
                onClose={() => setAsking(null)}
              />
            ) : (
              <BackItem
                {...{ session, item, isStill, isManager }}
                orderId={ticket.id}
                onAsk={(act) => setAsking({ act, id: item.id })}
              />
            )}
          </li>
        ))}
      </ul>
      <div class="row wrap gap-2 ticket-back-foot">
        {asking === 'order' ? (
          <AskWhy
            question={words.askCancel}
            yes={words.yesCancel}
            asksWhy={asksWhy}
            of="cancellation"
            onYes={(why) => {
              onClose();
              void requests.cancelOrder(ticket, why);
            }}
            onClose={() => setAsking(null)}
          />
        ) : (
          <FootButtons
            {...{ session, card, onClose }}
            mayCancel={mayCancel && !isStill}
            onCancel={() => setAsking('order')}
          />
        )}
      </div>
    </div>
  );
}

type FootProps = BackProps & { mayCancel: boolean; onCancel: () => void };
function FootButtons({ session, card, mayCancel, onClose, onCancel }: FootProps) {
  const words = drawerMessages().ticketBack;
  const { ticket } = card;
  return (
    <>
      <button
        type="button"
        aria-label={words.printOne(ticket.number)}
        onClick={() => session.print({ kind: 'ticket', cards: [card] })}
      >
        {words.print}
      </button>
      {mayCancel && (
        <button type="button" aria-label={words.cancelOne(ticket.number)} onClick={onCancel}>
          {words.cancel}
        </button>
      )}
      <button type="button" class="ticket-back-close" onClick={onClose}>
        {words.backToTicket}
      </button>
    </>
  );
}

type ItemProps = {
  session: BoardSession;
  orderId: number;
  item: OrderItem;
  isStill: boolean;
  isManager: boolean;
  onAsk: (act: 'off' | 'remake') => void;
};
function BackItem({ session, orderId, item, isStill, isManager, onAsk }: ItemProps) {
  const words = drawerMessages().ticketBack;
  const { id, quantity, status } = item;
  const name = kitchenName(item);
  const isOver = isStill || status === 'cancelled';
  return (
    <>
      <span class={status === 'cancelled' ? 'ticket-back-off' : undefined}>
        {quantity}&nbsp;<bdi>{name}</bdi> <small>{messages().ticket.status[status]}</small>
      </span>
      {!isOver && previousStatus(status) !== null && (
        <button type="button" aria-label={words.stepBack(name)} onClick={() => session.board.stepItemBack(orderId, id)}>
          <Icon name="undo" />
        </button>
      )}
      {!isOver && status !== 'received' && (
        <button type="button" aria-label={words.remakeOf(name)} onClick={() => onAsk('remake')}>
          {words.remake}
        </button>
      )}
      {!isOver && (isManager || !wasDelivered(item)) && (
        <button type="button" aria-label={words.takeOff(name)} onClick={() => onAsk('off')}>
          {words.remove}
        </button>
      )}
    </>
  );
}

type UnitsProps = {
  act: 'off' | 'remake';
  item: OrderItem;
  onYes: (how: { quantity: number; reason?: string }) => void;
  onClose: () => void;
};
/** Asks whether to remove a dish or to cook it again, and how many of several. */
function AskUnits({ act, item, onYes, onClose }: UnitsProps) {
  const words = drawerMessages().ticketBack;
  const [count, setCount] = useState(item.quantity);
  // Another person may have removed a part in the meantime.
  const quantity = Math.min(count, item.quantity);
  const name = kitchenName(item);
  const isPart = quantity < item.quantity;
  const askOff = isPart ? words.askPart(quantity, item.quantity, name) : words.askOff(quantity, name);
  return (
    <AskWhy
      question={act === 'remake' ? words.askRemake(quantity, name) : askOff}
      yes={act === 'remake' ? words.yesRemake : words.yesOff}
      asksWhy={act === 'remake' || needsReason(item.status)}
      of={act === 'remake' ? 'remake' : 'cancellation'}
      onYes={(why) => onYes({ ...why, quantity })}
      onClose={onClose}
    >
      {item.quantity > 1 && <Stepper value={quantity} min={1} max={item.quantity} of={name} onChange={setCount} />}
    </AskWhy>
  );
}

type AskWhyProps = Pick<Parameters<typeof Ask>[0], 'question' | 'onClose' | 'children'> & {
  yes: string;
  asksWhy: boolean;
  of: 'cancellation' | 'remake';
  onYes: (why: { reason?: string }) => void;
};
/** A question that may also ask for the reason. */
function AskWhy({ asksWhy, of, onYes, children, ...props }: AskWhyProps) {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  return (
    <Ask
      {...props}
      no={drawerMessages().ticketBack.no}
      kind="danger"
      isReady={!asksWhy || reason !== ''}
      onYes={() => onYes(reason === '' ? {} : { reason })}
    >
      {children}
      {asksWhy && <ReasonChoice of={of} reason={typed} onChange={setTyped} />}
    </Ask>
  );
}
