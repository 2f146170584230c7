import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '@comanda/ui/icon.tsx';
import { useSettled } from '@comanda/ui/use-settled.ts';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { createCancelRequests } from './cancel-requests.ts';
import type { BoardCard } from './card.ts';
import { previousStatus, type OrderItem } from '../bumps/ticket.ts';
import type { BoardSession } from './board-session.ts';
import './ticket-back.css';

export type BackProps = { session: BoardSession; card: BoardCard; onClose: () => void };

/** The back of a ticket: one dish back or off, print, cancel. What cannot be taken back asks once, in its slot. */
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
  return (
    <div class="ticket-back" ref={element}>
      <ul>
        {ticket.items.map((item) => (
          <li key={item.id}>
            {asking === item.id ? (
              <Ask
                question={words.askOff(item)}
                yes={words.yesOff}
                onYes={() => {
                  setAsking(null);
                  void requests.cancelItem(ticket, item.id);
                }}
                onNo={() => setAsking(null)}
              />
            ) : (
              <BackItem {...{ session, item, isStill }} orderId={ticket.id} onOff={() => setAsking(item.id)} />
            )}
          </li>
        ))}
      </ul>
      <div class="ticket-back-foot">
        {asking === 'order' ? (
          <Ask
            question={words.askCancel}
            yes={words.yesCancel}
            onYes={() => {
              onClose();
              void requests.cancelOrder(ticket);
            }}
            onNo={() => setAsking(null)}
          />
        ) : (
          <>
            <button
              type="button"
              aria-label={words.printOne(ticket.number)}
              onClick={() => session.print({ kind: 'ticket', cards: [card] })}
            >
              {words.print}
            </button>
            {!isStill && (
              <button type="button" aria-label={words.cancelOne(ticket.number)} onClick={() => setAsking('order')}>
                {words.cancel}
              </button>
            )}
            <button type="button" class="ticket-back-close" onClick={onClose}>
              {words.backToTicket}
            </button>
          </>
        )}
      </div>
    </div>
  );
}

type ItemProps = { session: BoardSession; orderId: number; item: OrderItem; isStill: boolean; onOff: () => void };
function BackItem({ session, orderId, item, isStill, onOff }: ItemProps) {
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
      {!isOver && status !== 'delivered' && (
        <button type="button" aria-label={words.takeOff(name)} onClick={onOff}>
          {words.remove}
        </button>
      )}
    </>
  );
}

type AskProps = { question: string; yes: string; onYes: () => void; onNo: () => void };
/** "Yes" cannot be pressed at once: it may stand where the finger of a double tap is. */
function Ask({ question, yes, onYes, onNo }: AskProps) {
  const isSettled = useSettled();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  return (
    <div class="ticket-ask" role="group" aria-label={question}>
      <span role="alert">{question}</span>
      <button type="button" class="ticket-ask-yes" disabled={!isSettled} onClick={onYes}>
        {yes}
      </button>
      <button type="button" ref={no} onClick={onNo}>
        {drawerMessages().ticketBack.no}
      </button>
    </div>
  );
}
