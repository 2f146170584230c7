import type { CallFailure } from '@comanda/client/core';
import { RequestId } from '@comanda/ui/request-id.tsx';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { withTip } from '@comanda/ui/bill/tip-choice.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { goTo } from '../../address.ts';
import { countMessages } from '../../cash/messages.ts';
import '../outbox-strip.css';
import type { WaiterSession } from '../waiter-session.ts';
import { billWords } from './messages.ts';
import type { Taken, UnsentPayment } from './unsent-payments.ts';

/** Lists payments and closed bills that the server has not confirmed yet. */
export const PaymentStrip = ({ session }: { session: WaiterSession }) => (
  <div role="status" class="stack gap-3 waiter-outbox">
    {session.paying.unsent.value.map((entry) => (
      <NotRecorded key={entry.key} entry={entry} session={session} />
    ))}
  </div>
);

function NotRecorded({ entry, session: { paying } }: { entry: UnsentPayment; session: WaiterSession }) {
  const words = billWords().strip;
  const { key, state, failure, input } = entry;
  if (state === 'sending') return <p class="waiter-sending">{sendingText(input)}</p>;
  const { title, texts } = failure ? refusalOf(input, failure) : lateOf(input);
  const requestId = failure?.problem?.request_id;
  return (
    <section class="edge on-amber wrap waiter-not-sent">
      <Icon name={failure ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{title}</h2>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {requestId !== undefined && <RequestId id={requestId} />}
        <div class="wrap gap-3 waiter-not-sent-buttons">
          <button type="button" onClick={() => goTo(`#/waiter/bill/${input.billId}`)}>
            {words.toBill}
          </button>
          {failure ? (
            <button type="button" onClick={() => paying.forget(key)}>
              {words.understood}
            </button>
          ) : (
            <button type="button" onClick={paying.retry}>
              {words.tryNow}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

function whatOf(taken: Taken): string {
  const { methods, strip } = billWords();
  return strip.what(taken.table, methods[taken.method], formatMoney(withTip(taken), taken.currency));
}
function sendingText(input: Input): string {
  const words = billWords().strip;
  return input.kind === 'payment' ? words.sending(whatOf(input)) : words.closing(input.table);
}

type Input = UnsentPayment['input'];
type Texts = { title: string; texts: readonly string[] };

function lateOf(input: Input): Texts {
  const words = billWords().strip;
  return input.kind === 'payment'
    ? { title: words.notRecorded, texts: [whatOf(input), words.notRecordedHint] }
    : { title: words.notClosed(input.table), texts: [words.notClosedHint] };
}

/** Explains why the server rejected a payment: how much the amount differs, and that nothing was recorded. */
function refusalOf(input: Input, failure: CallFailure): Texts {
  const words = billWords().strip;
  const { happened, toDo } = billFailureWords(failure);
  if (input.kind === 'end') return { title: words.endRefused(input.table), texts: [happened, toDo] };
  const title = words.refused(whatOf(input));
  const show = (minor: bigint): string => formatMoney(fromMinor(minor), input.currency);
  const taken = toMinor(input.amount);
  if (failure.is('nothing_to_pay')) return { title, texts: [words.allPaid(show(taken)), words.nothingDone] };
  if (input.cashDrawer !== undefined && failure.is('unprocessable_content')) {
    const { retired } = countMessages();
    return { title, texts: [retired.happened, retired.toDo] };
  }
  if (!failure.is('bill_changed')) return { title, texts: [happened, toDo] };
  const now = toMinor(failure.problem.amount);
  const text =
    taken > now
      ? words.tooMuch(show(taken), show(now), show(taken - now))
      : words.tooLittle(show(taken), show(now), show(now - taken));
  return { title, texts: [text, words.nothingDone] };
}
