import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '@comanda/ui/icon.tsx';
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
import { previousStatus, type OrderItem } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import './ticket-back.css';

export type BackProps = { session: BoardSession; card: BoardCard; onClose: () => void };

/**
 * The back of a ticket, with buttons to undo or cancel single dishes, to print the ticket, and to cancel the order. It asks
 * before anything that can't be undone.
 */
export function TicketBack({ session, card, onClose }: BackProps) {
  const words = drawerMessages().ticketBack;
  const { ticket, look } = card;
  const requests = createCancelRequests(session.cancelDeps);
  const [asking, setAsking] = useState<'order' | number | null>(null);
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
            {asking === item.id ? (
              <Ask
                question={words.askOff(item)}
                yes={words.yesOff}
                asksWhy={needsReason(item.status)}
                onYes={(why) => {
                  setAsking(null);
                  void requests.cancelItem(ticket, { itemId: item.id, ...why });
                }}
                onNo={() => setAsking(null)}
              />
            ) : (
              <BackItem
                {...{ session, item, isStill, isManager }}
                orderId={ticket.id}
                onOff={() => setAsking(item.id)}
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
  onOff: () => void;
};
function BackItem({ session, orderId, item, isStill, isManager, onOff }: ItemProps) {
  const words = drawerMessages().ticketBack;
  const { id, name, quantity, status } = item;
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
      {!isOver && (isManager || !wasDelivered(item)) && (
        <button type="button" aria-label={words.takeOff(name)} onClick={onOff}>
          {words.remove}
        </button>
      )}
    </>
  );
}

type AskProps = {
  question: string;
  yes: string;
  asksWhy: boolean;
  onYes: (why: { reason?: string }) => void;
  onNo: () => void;
};
/** A question with its answers. "Yes" is disabled at first, because a double tap might hit it. */
function Ask({ question, yes, asksWhy, onYes, onNo }: AskProps) {
  const isSettled = useSettled();
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <div class={classNames('ticket-ask', asksWhy && 'ticket-ask-why')} role="group" aria-label={question}>
      <span role="alert">{question}</span>
      {asksWhy && <ReasonChoice of="cancellation" reason={typed} onChange={setTyped} />}
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
