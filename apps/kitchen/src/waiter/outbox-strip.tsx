import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { goTo } from '../parts/go-to.ts';
import { countOf } from './draft.ts';
import { waiterMessages } from './messages.ts';
import type { Outgoing } from './outbox.ts';
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
  const { key, table, lines, refused, isLate } = order;
  const items = words.items(countOf(lines));
  /** What was chosen is a draft again. */
  const takeBack = (): void => {
    const taken = session.outbox.take(key);
    if (!taken) return;
    session.draft.put({ table, lines, allergies: taken.allergies });
    if (!refused) session.say({ kind: 'stopped', table });
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
        <p>{failure ? refusalText(order) : words.lateHint}</p>
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

function refusalText({ refused }: Outgoing): string {
  if (!refused) return '';
  const items = (refused.problem?.['items'] ?? []) as { name?: string }[];
  if (refused.code === 'menu_item_unavailable')
    return waiterMessages().outbox.soldOut(formatList(items.flatMap(({ name }) => name ?? [])));
  const { happened, toDo } = failureWords(refused);
  return `${happened} ${toDo}`;
}
