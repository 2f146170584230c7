import { Button } from '@comanda/ui/button.tsx';
import { classNames } from '@comanda/ui/class-names.ts';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatList, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useGuest, useOrderSession, useRouter } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import { orderMessages } from './messages.ts';
import { OrderSlip } from './order-slip.tsx';
import { type UnsentOrder, findArrived } from './unsent-order.ts';
import './unsent-orders.css';
import type { CallFailure, LiveItem } from '@comanda/client/core';
import { type FailureWords, failureWords } from '@comanda/ui/failure-words.ts';

/** Shows an order that has no response yet. It must not look like a success. */
export function OutgoingOrder() {
  const words = orderMessages();
  const { basket } = useGuest();
  const { sending } = useOrderSession();
  const outgoing = sending.outgoing.value;
  if (!outgoing?.input.typed) return null;
  const { state, attempts, input } = outgoing;
  const { lines, allergies } = outgoing.input.typed;
  const isLate = state === 'late';
  return (
    <article
      class={classNames('stack gap-3 unsent-order', isLate && 'unsent-order-late')}
      aria-labelledby="unsent-order"
    >
      <div class="stack gap-2 unsent-order-head" role={isLate ? 'alert' : undefined}>
        {isLate && <Icon name="noNetwork" size={32} />}
        <h2 id="unsent-order" tabIndex={-1}>
          {isLate ? words.notSentTitle : words.sending}
        </h2>
        {isLate && <p>{words.notSentText}</p>}
      </div>
      {isLate && (
        <>
          <p class="row gap-2">
            <Icon name="clock" />
            {words.tryAt(attempts, formatTimeWithSeconds(input.triedAt))}
          </p>
          <Button kind="primary" size="large" onClick={sending.tryNow}>
            {words.tryNow}
          </Button>
          <Button onClick={sending.stop}>{words.stop}</Button>
        </>
      )}
      <p>
        {words.waitingHere} · {words.table(input.table)}
      </p>
      <div class="slip-box">
        <OrderSlip lines={basket.named(lines)} sum={input.sum} />
      </div>
      {allergies !== '' && (
        <p>
          <strong>{words.allergies}:</strong> <bdi>{allergies}</bdi>
        </p>
      )}
      {isLate && <p>{words.keepOpen}</p>}
    </article>
  );
}

/** Shows orders that were rejected or stopped, until the guest has read why. */
export const EndedOrders = () => (
  <>
    {useOrderSession().sending.ended.value.map((order) => (
      <EndedOrder key={order.key} order={order} />
    ))}
  </>
);

function EndedOrder({ order }: { order: UnsentOrder }) {
  const words = orderMessages();
  const { basket, menu } = useGuest();
  const { options, orders, sending } = useOrderSession();
  const { route, navigate } = useRouter();
  const { key, failure, attempts, input } = order;
  const mayReview = route.value.page !== 'review' && basket.count.value > 0;
  const buttons = (
    <div class="wrap gap-2">
      {mayReview && (
        <Button kind={failure ? 'primary' : 'secondary'} size="small" onClick={() => navigate({ page: 'review' })}>
          {words.review}
        </Button>
      )}
      <Button size="small" onClick={() => sending.dismiss(key)}>
        {words.understood}
      </Button>
    </div>
  );
  if (failure)
    return (
      <ErrorPanel
        words={wordsOfRefusal({ failure, attempts }, { dishById: menu.dishById.value, optionName: options.nameOf })}
      >
        {buttons}
      </ErrorPanel>
    );
  const arrived = findArrived(orders.all.value, input);
  return arrived ? (
    <Notice kind="good" icon="check" title={words.arrivedAfterAll(arrived.ticket)}>
      <p>{words.arrivedAfterAllHint}</p>
      {buttons}
    </Notice>
  ) : (
    <Notice kind="warning" icon="warning" title={input.isOld ? words.stoppedOld : words.stopped}>
      <p>{input.isOld ? words.stoppedOldHint(input.table) : words.stoppedHint}</p>
      {buttons}
    </Notice>
  );
}

type Refusal = { failure: CallFailure; attempts: number };

const worded = [
  'menu_item_unknown',
  'options_invalid',
  'seating_full',
  'table_code_required',
  'table_mismatch',
  'too_many_open_items',
] as const;
const isWorded = (code: string): code is (typeof worded)[number] => worded.some((known) => known === code);

type Names = {
  /** The dishes with their names in the guest's language. */ dishById: ReadonlyMap<number, LiveItem>;
  optionName: (id: number) => string | null;
};

/** Returns the message for an order that the server rejected. */
function wordsOfRefusal({ failure, attempts }: Refusal, { dishById, optionName }: Names): FailureWords {
  const { refused, paused, pausedHint } = orderMessages();
  const requestId = failure.problem?.request_id;
  const withId = (text: { happened: string; toDo: string }): FailureWords => ({
    ...text,
    ...(requestId !== undefined && { requestId }),
  });
  if (failure.is('menu_item_unavailable'))
    return withId(
      refused.menu_item_unavailable(
        formatList(
          failure.problem.items.map(({ item_id: id, name, option_ids: optionIds = [] }) => {
            const options = formatList(optionIds.flatMap((each) => optionName(each) ?? []));
            return (dishById.get(id)?.name ?? name) + (options && ` (${options})`);
          }),
        ),
      ),
    );
  if (failure.is('ordering_paused')) return withId({ happened: paused, toDo: pausedHint });
  if (failure.is('seating_closed')) return withId(refused.ended);
  // After more than one attempt, an earlier one may have reached the server.
  if (failure.needsSignIn) return withId(attempts > 1 ? refused.endedUnsure : refused.ended);
  const { code } = failure;
  if (isWorded(code)) return withId(refused[code]);
  return failureWords(failure);
}
