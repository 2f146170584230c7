import type { CallFailure } from '@comanda/client';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { goTo } from '../address.ts';
import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import type { Outgoing } from './outbox.ts';
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
  const { key, table, lines, allergies, refused, isLate } = order;
  const items = words.items(countOf(lines));
  /** What was chosen is a draft again. */
  const takeBack = (): void => {
    session.outbox.take(key);
    session.draft.put({ table, lines, allergies });
    if (!refused) session.showNotice({ kind: 'stopped', table });
    goTo(`#/waiter/order/${table}/review`);
  };
  if (!refused && !isLate)
    return (
      <p class="waiter-sending">
        {words.sending(table)} <span>{items}</span>
      </p>
    );
  const failure = refused && failureWords(refused);
  return (
    <section class="waiter-not-sent">
      <Icon name={refused ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{(refused ? words.refused : words.late)(table)}</h2>
        <p>{items}</p>
        <p>{refused ? refusalText(refused) : words.lateHint}</p>
        {failure?.requestId !== undefined && <RequestId id={failure.requestId} />}
        <div class="waiter-not-sent-buttons">
          {!refused && (
            <button type="button" onClick={session.outbox.tryNow}>
              {words.tryNow}
            </button>
          )}
          <button type="button" onClick={takeBack}>
            {refused ? words.edit : words.stop}
          </button>
        </div>
      </div>
    </section>
  );
}

function refusalText(refused: CallFailure): string {
  if (refused.is('menu_item_unavailable'))
    return waiterMessages().outbox.soldOut(formatList(refused.problem.items.map(({ name }) => name)));
  const { happened, toDo } = failureWords(refused);
  return `${happened} ${toDo}`;
}
