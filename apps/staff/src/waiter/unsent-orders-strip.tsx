import type { CallFailure, CallFailureOf } from '@comanda/client/core';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatList } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { flat, type Offer } from '@comanda/ui/options/choice.ts';
import { troubleWords } from '@comanda/ui/options/defect-words.ts';
import { isWaiting } from '@comanda/ui/unsent-entry.ts';
import { goTo } from '../address.ts';
import { countOf, linesOf, type DraftLine } from './draft.ts';
import { waiterMessages } from './messages.ts';
import { oldAfterMinutes, type UnsentOrder } from './unsent-orders.ts';
import './outbox-strip.css';
import type { WaiterSession } from './waiter-session.ts';

/** Lists orders that the kitchen has not received yet. */
export function UnsentOrdersStrip({ session }: { session: WaiterSession }) {
  return (
    <div role="status" class="stack gap-3 waiter-outbox">
      {session.unsentOrders.entries.value.map((order) => (
        <NotSent key={order.key} order={order} session={session} />
      ))}
    </div>
  );
}

function NotSent({ order, session }: { order: UnsentOrder; session: WaiterSession }) {
  const words = waiterMessages().outbox;
  const { key, state, failure } = order;
  const { table, seating, lines, allergies } = order.input;
  const { draft, unsentOrders } = session;
  const isEnded = !isWaiting(order);
  const items = words.items(countOf(lines));
  /** True while the waiter is taking another order, which this one would replace. */
  const isTaking = draft.draft.value.lines.length > 0;
  /** Turns the unsent order back into a draft, and opens its review. */
  const takeBack = (): void => {
    unsentOrders.take(key);
    draft.put({ table, lines: linesOf(lines), allergies, seating });
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
  const { title, text } = textsOf(order, session.offer.offer.value);
  const requestId = failure?.problem?.request_id;
  return (
    <section class="edge on-amber wrap waiter-not-sent">
      <Icon name={isEnded ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{title}</h2>
        <p>{items}</p>
        <p>{text}</p>
        {requestId !== undefined && <RequestId id={requestId} />}
        {isEnded && isTaking && <p>{words.draftFirst}</p>}
        <div class="wrap gap-3 waiter-not-sent-buttons">
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
type Texts = { title: string; text: string };
function textsOf({ state, failure, input: { table, isStopped, lines } }: UnsentOrder, offer: Offer): Texts {
  const words = waiterMessages().outbox;
  if (failure) return { title: words.refused(table), text: refusalText(failure, linesOf(lines), offer) };
  if (state === 'late') return { title: words.late(table), text: words.lateHint };
  if (isStopped) return { title: words.stopped(table), text: words.lookFirst };
  return { title: words.old(table), text: `${words.oldHint(oldAfterMinutes)} ${words.lookFirst}` };
}

function refusalText(refused: CallFailure, lines: readonly DraftLine[], { groups }: Offer): string {
  const words = waiterMessages().outbox;
  if (refused.is('menu_item_unavailable'))
    return words.soldOut(
      formatList(refused.problem.items.map(({ name, option_ids: ids }) => withOptions(name, lines, ids ?? []))),
    );
  if (refused.is('options_invalid'))
    return words.optionsInvalid(faultsOf(refused.problem.items, lines, groups).join(' '));
  const { happened, toDo } = failureWords(refused);
  return `${happened} ${toDo}`;
}

type Defects = CallFailureOf<'options_invalid'>['problem']['items'];
/** Returns a sentence for each option that the server has rejected, with its dish. */
const faultsOf = (defects: Defects, lines: readonly DraftLine[], groups: Offer['groups']): string[] =>
  lines.flatMap(({ name, options }, index) => {
    const trouble = { defects: defects.filter((defect) => defect.index === index), soldOut: [] };
    return troubleWords(trouble, { groups, chosen: options }).map((text) => `${name}: ${text}`);
  });

/** Returns a dish's name with the names of these options, as the lines have them: `Pizza (Calabresa)`. */
function withOptions(name: string, lines: readonly DraftLine[], ids: readonly number[]): string {
  const options = lines.flatMap((line) => flat(line.options)).filter(({ id }) => ids.includes(id));
  const names = [...new Set(options.map((option) => option.name))];
  return names.length === 0 ? name : `${name} (${formatList(names)})`;
}
