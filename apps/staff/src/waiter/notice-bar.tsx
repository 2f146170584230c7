import type { Client } from '@comanda/client/core';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { withTip } from '@comanda/ui/bill/tip-choice.ts';
import { classNames } from '@comanda/ui/class-names.ts';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { messages } from '../messages.ts';
import { shortName } from '../short-name.ts';
import type { Dropped } from '../bumps/bump-queue.ts';
import { billWords } from './bill/messages.ts';
import { lineMessages } from './line-messages.ts';
import { tableTitle, waiterMessages } from './messages.ts';
import { isAlarm, type Notice } from './notice.ts';
import { seatingMessages } from './seating-messages.ts';
import './notice-bar.css';
import type { WaiterSession } from './waiter-session.ts';

/** Shows the last action with an Undo button, or which action failed and why. */
export function NoticeBar({ client, session }: { client: Client; session: WaiterSession }) {
  const words = waiterMessages().notice;
  const notice = session.notice.value;
  return (
    <div role="status" class="waiter-notice-place">
      {notice && (
        <div class={classNames('edge row wrap waiter-notice', isAlarm(notice) ? 'on-alarm' : 'on-ink')}>
          <p>{textOf(notice, client.who()?.userId ?? 0)}</p>
          {notice.kind === 'served' ? (
            <button type="button" class="row gap-2 waiter-undo" onClick={() => session.undoServed(notice.bumps)}>
              <Icon name="undo" />
              {words.undo}
            </button>
          ) : (
            <button
              type="button"
              class="row gap-2 waiter-undo"
              aria-label={words.close}
              onClick={() => session.showNotice(null)}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      )}
    </div>
  );
}

// oxlint-disable-next-line typescript/consistent-return -- every kind returns
function textOf(notice: Notice, userId: number): string {
  const words = waiterMessages().notice;
  switch (notice.kind) {
    case 'served':
      return words.served(tableTitle(notice), notice.count);
    case 'sent':
      return words.sent(notice.ticket, notice.table);
    case 'moved':
      return words.moved(notice.ticket, notice.table);
    case 'taken_off':
      return words.takenOff(notice.ticket, notice.dish);
    case 'dishes_moved':
      return lineMessages().moved(notice.dishes, notice.table);
    case 'remade':
      return lineMessages().remade(notice.dishes, notice.ticket);
    case 'recorded':
      return words.recorded(billWords().methods[notice.method], formatMoney(withTip(notice), notice.currency));
    case 'pix_paid':
      return billWords()[notice.isByStaff ? 'pixConfirmed' : 'pixPaid'](
        notice.table,
        formatMoney(withTip(notice), notice.currency),
      );
    case 'ended':
      return words.ended(notice);
    case 'guests_moved':
      return seatingMessages().moved(notice.table, notice.to);
    case 'joined':
      return seatingMessages().joined(notice.table, notice.to);
    case 'cleaned':
      return seatingMessages().cleaned(notice.table);
    case 'bill_stayed':
      return `${seatingMessages().billStayed(notice.table)} ${billFailureWords(notice.failure).happened}`;
    case 'closed':
    case 'opened':
    case 'stopped':
      return words[notice.kind](notice.table);
    case 'dropped':
      return textOfDropped(notice, userId);
  }
}

function textOfDropped({ bump, why }: Dropped, userId: number): string {
  const words = waiterMessages().notice;
  if (why.kind === 'refused') return `${words.refused(bump.ticket)} ${failureWords(why.failure).happened}`;
  if (!why.by) return words.overtakenBySomebody(bump.ticket);
  const { actor, at } = why.by;
  const who = actor.id === userId ? words.me : shortName(guestName(actor.name ?? messages().roles[actor.role]));
  return words.overtaken(bump.ticket, who, formatTime(at));
}
