import { RequestId } from '@comanda/ui/request-id.tsx';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { withTip } from '@comanda/ui/bill/tip-choice.ts';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { goTo } from '../../address.ts';
import '../outbox-strip.css';
import type { WaiterSession } from '../waiter-session.ts';
import { billWords } from './messages.ts';
import type { Taken, Unanswered } from './payment-outbox.ts';

/** What was taken and is not recorded, and bills that are not closed yet: in words, until the server has answered. */
export const PaymentStrip = ({ session }: { session: WaiterSession }) => (
  <div role="status" class="waiter-outbox">
    {session.paying.unanswered.value.map((entry) => (
      <UnansweredEntry key={entry.key} entry={entry} session={session} />
    ))}
  </div>
);

function UnansweredEntry({ entry, session: { paying } }: { entry: Unanswered; session: WaiterSession }) {
  const words = billWords().strip;
  const { refused, isLate, key, billId } = entry;
  if (!refused && !isLate) return <p class="waiter-sending">{sendingText(entry)}</p>;
  const { title, texts } = refused ? refusalOf(entry) : lateOf(entry);
  const requestId = refused?.problem?.request_id;
  return (
    <section class="waiter-not-sent">
      <Icon name={refused ? 'warning' : 'noNetwork'} size={28} />
      <div>
        <h2>{title}</h2>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {requestId !== undefined && <RequestId id={requestId} />}
        <div class="waiter-not-sent-buttons">
          <button type="button" onClick={() => goTo(`#/waiter/bill/${billId}`)}>
            {words.toBill}
          </button>
          {refused ? (
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
function sendingText(entry: Unanswered): string {
  const words = billWords().strip;
  return entry.kind === 'payment' ? words.sending(whatOf(entry)) : words.closing(entry.table);
}

type Texts = { title: string; texts: readonly string[] };

function lateOf(entry: Unanswered): Texts {
  const words = billWords().strip;
  return entry.kind === 'payment'
    ? { title: words.notRecorded, texts: [whatOf(entry), words.notRecordedHint] }
    : { title: words.notClosed(entry.table), texts: [words.notClosedHint] };
}

/** Why it does not fit any more: how far the amount is off, and that nothing was recorded. */
function refusalOf(entry: Unanswered): Texts {
  const words = billWords().strip;
  const { happened, toDo } = billFailureWords(entry.refused);
  if (entry.kind === 'end') return { title: words.endRefused(entry.table), texts: [happened, toDo] };
  const title = words.refused(whatOf(entry));
  const show = (minor: bigint): string => formatMoney(fromMinor(minor), entry.currency);
  const taken = toMinor(entry.amount);
  if (entry.refused?.is('nothing_to_pay')) return { title, texts: [words.allPaid(show(taken)), words.nothingDone] };
  if (!entry.refused?.is('bill_changed')) return { title, texts: [happened, toDo] };
  const now = toMinor(entry.refused.problem.amount);
  const text =
    taken > now
      ? words.tooMuch(show(taken), show(now), show(taken - now))
      : words.tooLittle(show(taken), show(now), show(now - taken));
  return { title, texts: [text, words.nothingDone] };
}
