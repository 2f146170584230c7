import { Button } from '@comanda/ui/button.tsx';
import { formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { useGuest } from '../contexts.ts';
import { NoAnswer } from '../no-answer.tsx';
import './slip.css';
import type { Outgoing } from './outgoing.ts';
import { orderMessages } from './messages.ts';
import './not-sent-page.css';

/** An order that has no answer yet. It must not be taken for a success. */
export function NotSentPage({ outgoing }: { outgoing: Outgoing }) {
  const words = orderMessages();
  const { basket, menu, sending } = useGuest();
  const { count, lastAt } = sending.attempts.value;
  return (
    <NoAnswer
      class="not-sent"
      icon="noNetwork"
      title={words.notSentTitle}
      text={words.notSentText}
      tried={{ icon: 'clock', text: words.tryAt(count, formatTimeWithSeconds(lastAt)) }}
      buttons={
        <>
          <Button kind="primary" size="large" onClick={sending.tryNow}>
            {words.tryNow}
          </Button>
          <Button onClick={sending.stop}>{words.stop}</Button>
        </>
      }
    >
      <div class="not-sent-body">
        <div class="slip-box">
          <div class="slip">
            <p class="not-sent-table">
              <span>{words.waitingHere}</span> <span>{words.table(outgoing.table)}</span>
            </p>
            <ul class="not-sent-lines">
              {basket.named(outgoing.lines).map((line) => (
                <li key={line.id}>
                  <span>{line.quantity}×</span>
                  <span>
                    <span lang={line.lang}>{line.name}</span>
                    {line.remarks !== '' && (
                      <span class="not-sent-remark">
                        <strong>{words.remark}</strong> {line.remarks}
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
            {outgoing.allergies !== '' && (
              <p>
                <strong>{words.allergies}:</strong> {outgoing.allergies}
              </p>
            )}
            <p class="slip-sum">
              <span>{words.thisOrder}</span>
              <span class="money" translate={false}>
                {formatMoney(outgoing.sum, menu.currency.value)}
              </span>
            </p>
          </div>
        </div>
        <p class="not-sent-keep">{words.keepOpen}</p>
      </div>
    </NoAnswer>
  );
}
