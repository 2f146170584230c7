import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '@comanda/ui/icon.tsx';
import { Stepper } from '@comanda/ui/stepper.tsx';
import { useSettled } from '@comanda/ui/use-settled.ts';
import { wasDelivered } from '@comanda/client/core';
import { classNames } from '@comanda/ui/class-names.ts';
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
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      if (asking === null) onClose();
      else setAsking(null);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [asking, onClose]);
  const isStill = look === 'cancelled';
  const isManager = session.cancelDeps.isManager();
  const { mayCancel, asksWhy } = cancelRuleOf(ticket, isManager);
  return (
    <div class="ticket-back" ref={element}>
      <ul hidden={asking === 'order' && asksWhy}>
        {ticket.items.map((item) => (
          <li key={item.id}>
            {asking !== null && asking !== 'order' && asking.id === item.id ? (
              <AskUnits
                act={asking.act}
                item={item}
                onYes={({ quantity, reason }) => {
                  setAsking(null);
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
                onNo={() => setAsking(null)}
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
      <div class="ticket-back-foot">
        {asking === 'order' ? (
          <Ask
            question={words.askCancel}
            yes={words.yesCancel}
            asksWhy={asksWhy}
            of="cancellation"
            onYes={(why) => {
              onClose();
              void requests.cancelOrder(ticket, why);
            }}
            onNo={() => setAsking(null)}
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
  onNo: () => void;
};
/** Asks whether to remove a dish or to cook it again, and how many of several. */
function AskUnits({ act, item, onYes, onNo }: UnitsProps) {
  const words = drawerMessages().ticketBack;
  const [count, setCount] = useState(item.quantity);
  // Another person may have removed a part in the meantime.
  const quantity = Math.min(count, item.quantity);
  const name = kitchenName(item);
  const isPart = quantity < item.quantity;
  const askOff = isPart ? words.askPart(quantity, item.quantity, name) : words.askOff(quantity, name);
  return (
    <Ask
      question={act === 'remake' ? words.askRemake(quantity, name) : askOff}
      yes={act === 'remake' ? words.yesRemake : words.yesOff}
      asksWhy={act === 'remake' || needsReason(item.status)}
      of={act === 'remake' ? 'remake' : 'cancellation'}
      onYes={(why) => onYes({ ...why, quantity })}
      onNo={onNo}
    >
      {item.quantity > 1 && <Stepper value={quantity} min={1} max={item.quantity} of={name} onChange={setCount} />}
    </Ask>
  );
}

type AskProps = {
  question: string;
  yes: string;
  asksWhy: boolean;
  of: 'cancellation' | 'remake';
  onYes: (why: { reason?: string }) => void;
  onNo: () => void;
  children?: ComponentChildren;
};
/** A question with its answers. "Yes" is disabled at first, because a double tap might hit it. */
function Ask({ question, yes, asksWhy, of, onYes, onNo, children }: AskProps) {
  const isSettled = useSettled();
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <div
      class={classNames('ticket-ask', (asksWhy || Boolean(children)) && 'ticket-ask-why')}
      role="group"
      aria-label={question}
    >
      <span role="alert">{question}</span>
      {children}
      {asksWhy && <ReasonChoice of={of} reason={typed} onChange={setTyped} />}
      <button
        type="button"
        class="ticket-ask-yes"
        disabled={!isSettled || (asksWhy && reason === '')}
        onClick={() => onYes(reason === '' ? {} : { reason })}
      >
        {yes}
      </button>
      <button type="button" ref={no} onClick={onNo}>
        {drawerMessages().ticketBack.no}
      </button>
    </div>
  );
}
