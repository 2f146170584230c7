import type { CallFailure } from '@comanda/client';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { goTo } from '../address.ts';
import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { oldAfterMinutes, type Outgoing } from './outbox.ts';
import './outbox-strip.css';
import type { WaiterSession } from './waiter-session.ts';

/** Orders that the kitchen has not got: in words, until it has. */
export function OutboxStrip({ session }: { session: WaiterSession }) {
  const { orders } = session.outbox;
  return (
    <div role="status" class="waiter-outbox">
      {orders.value.map((order) => (
        <OutgoingOrder key={order.key} order={order} session={session} />
      ))}
    </div>
  );
}

function OutgoingOrder({ order, session }: { order: Outgoing; session: WaiterSession }) {
  const words = waiterMessages().outbox;
  const { key, table, lines, allergies, held, refused, isLate } = order;
  const { draft, outbox } = session;
  const items = words.items(countOf(lines));
  /** Another order is being taken: this one would take its place. */
  const isTaking = draft.draft.value.lines.length > 0;
  /** What was chosen is a draft again. */
  const takeBack = (): void => {
    outbox.take(key);
    draft.put({ table, lines, allergies });
    goTo(`#/waiter/order/${table}/review`);
  };
  const stop = (): void => {
    session.showNotice({ kind: 'stopped', table });
    if (isTaking) outbox.stop(key);
    else takeBack();
  };
  if (!held && !isLate)
    return (
      <p class="waiter-sending">
        {words.sending(table)} <span>{items}</span>
      </p>
    );
  const { title, text } = textsOf(order);
  const failure = refused && failureWords(refused);
  return (
    <section class="waiter-not-sent">
      <Icon name={held ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{title}</h2>
        <p>{items}</p>
        <p>{text}</p>
        {failure?.requestId !== undefined && <RequestId id={failure.requestId} />}
        {held && isTaking && <p>{words.draftFirst}</p>}
        <div class="waiter-not-sent-buttons">
          {!held && <StripButton text={words.tryNow} onClick={outbox.tryNow} />}
          {!held && <StripButton text={words.stop} onClick={stop} />}
          {held && held !== 'refused' && <StripButton text={words.sendHeld} onClick={() => outbox.sendHeld(key)} />}
          {held && !isTaking && <StripButton text={words.edit} onClick={takeBack} />}
        </div>
      </div>
    </section>
  );
}

const StripButton = ({ text, onClick }: { text: string; onClick: () => void }) => (
  <button type="button" onClick={onClick}>
    {text}
  </button>
);

/** Why the kitchen has not got it. */
function textsOf({ table, held, refused }: Outgoing): { title: string; text: string } {
  const words = waiterMessages().outbox;
  if (held === 'old') return { title: words.old(table), text: `${words.oldHint(oldAfterMinutes)} ${words.lookFirst}` };
  if (held === 'stopped') return { title: words.stopped(table), text: words.lookFirst };
  if (!refused) return { title: words.late(table), text: words.lateHint };
  return { title: words.refused(table), text: refusalText(refused) };
}

function refusalText(refused: CallFailure): string {
  if (refused.is('menu_item_unavailable'))
    return waiterMessages().outbox.soldOut(formatList(refused.problem.items.map(({ name }) => name)));
  const { happened, toDo } = failureWords(refused);
  return `${happened} ${toDo}`;
}
