import type { CallFailure } from '@comanda/client/core';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { isWaiting } from '@comanda/ui/unsent.ts';
import { goTo } from '../address.ts';
import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { oldAfterMinutes, type UnsentOrder } from './unsent-orders.ts';
import './outbox-strip.css';
import type { WaiterSession } from './waiter-session.ts';

/** Lists orders that the kitchen has not received yet. */
export function UnsentOrdersStrip({ session }: { session: WaiterSession }) {
  return (
    <div role="status" class="waiter-outbox">
      {session.unsentOrders.entries.value.map((order) => (
        <NotSent key={order.key} order={order} session={session} />
      ))}
    </div>
  );
}

function NotSent({ order, session }: { order: UnsentOrder; session: WaiterSession }) {
  const words = waiterMessages().outbox;
  const { key, state, failure } = order;
  const { table, lines, allergies } = order.input;
  const { draft, unsentOrders } = session;
  const isEnded = !isWaiting(order);
  const items = words.items(countOf(lines));
  /** True while the waiter is taking another order, which this one would replace. */
  const isTaking = draft.draft.value.lines.length > 0;
  /** Turns the unsent order back into a draft, and opens its review. */
  const takeBack = (): void => {
    unsentOrders.take(key);
    draft.put({ table, lines, allergies });
    goTo(`#/waiter/order/${table}/review`);
  };
  const stop = (): void => {
    session.showNotice({ kind: 'stopped', table });
    if (isTaking) unsentOrders.stop(order);
    else takeBack();
  };
  if (state === 'sending')
    return (
      <p class="waiter-sending">
        {words.sending(table)} <span>{items}</span>
      </p>
    );
  const { title, text } = textsOf(order);
  const requestId = failure?.problem?.request_id;
  return (
    <section class="waiter-not-sent">
      <Icon name={isEnded ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{title}</h2>
        <p>{items}</p>
        <p>{text}</p>
        {requestId !== undefined && <RequestId id={requestId} />}
        {isEnded && isTaking && <p>{words.draftFirst}</p>}
        <div class="waiter-not-sent-buttons">
          {!isEnded && <StripButton text={words.tryNow} onClick={unsentOrders.tryNow} />}
          {!isEnded && <StripButton text={words.stop} onClick={stop} />}
          {state === 'held' && <StripButton text={words.sendHeld} onClick={() => unsentOrders.sendHeld(order)} />}
          {isEnded && !isTaking && <StripButton text={words.edit} onClick={takeBack} />}
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

/** Returns the text that says why the kitchen has not received the order. */
function textsOf({ state, failure, input: { table, isStopped } }: UnsentOrder): { title: string; text: string } {
  const words = waiterMessages().outbox;
  if (failure) return { title: words.refused(table), text: refusalText(failure) };
  if (state === 'late') return { title: words.late(table), text: words.lateHint };
  if (isStopped) return { title: words.stopped(table), text: words.lookFirst };
  return { title: words.old(table), text: `${words.oldHint(oldAfterMinutes)} ${words.lookFirst}` };
}

function refusalText(refused: CallFailure): string {
  if (refused.is('menu_item_unavailable'))
    return waiterMessages().outbox.soldOut(formatList(refused.problem.items.map(({ name }) => name)));
  const { happened, toDo } = failureWords(refused);
  return `${happened} ${toDo}`;
}
