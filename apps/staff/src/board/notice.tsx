import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { RequestId } from '@comanda/ui/request-id.tsx';
import type { CallFailure } from '@comanda/client/core';
import { messages } from '../messages.ts';
import { drawerMessages } from './messages.ts';
import { shortName } from '../short-name.ts';
import type { Dropped } from '../bumps/bump-queue.ts';
import type { BoardSession } from './board-session.ts';
import type { FailedRequest } from './cancel-requests.ts';
import type { FailedPause } from './late-settings.ts';
import './notice.css';
import { tableName } from './table-name.ts';

export type NoticeProps = { session: BoardSession };

/** Shows which action failed and why, until someone closes the message. */
export function Notice({ session }: NoticeProps) {
  const notice = session.notice.value;
  if (!notice) return null;
  return (
    <div class="edge on-amber row gap-3 board-notice" role="alert">
      <Icon name="warning" />
      <p>{notice.kind === 'pause' ? pauseText(notice) : <TicketText of={notice} />}</p>
      <button type="button" class="tool tool-light" onClick={session.closeNotice}>
        {drawerMessages().notice.close}
      </button>
    </div>
  );
}

function pauseText({ wanted, failure }: FailedPause): string {
  const words = drawerMessages().busy;
  // A waiter can't end a pause that a manager has set for longer.
  const toDo = failure.is('forbidden') ? words.askManager : failureWords(failure).toDo;
  return `${wanted === 'paused' ? words.notPaused : words.notResumed} ${toDo}`;
}

/** What was not done with a ticket. */
function TicketText({ of: notice }: { of: Dropped | FailedRequest }) {
  const words = drawerMessages().notice;
  const { table, number } =
    notice.kind === 'failed' ? notice.ticket : { table: notice.bump.table, number: notice.bump.ticket };
  return (
    <>
      <strong>
        {tableName(table)} #{number}
      </strong>{' '}
      {notice.kind === 'failed' ? (
        <Failed what={notice.what === 'remake' ? words.notRemade : words.notCancelled} failure={notice.failure} />
      ) : notice.why.kind === 'refused' ? (
        <Failed what={words.notBumped} failure={notice.why.failure} />
      ) : (
        overtakenText(notice)
      )}
    </>
  );
}

function Failed({ what, failure }: { what: string; failure: CallFailure }) {
  const { toDo, requestId } = failureWords(failure);
  const isOld = failure.is('version_mismatch') || failure.is('illegal_transition');
  return (
    <>
      {what} {isOld ? drawerMessages().notice.lookAgain : toDo}
      {requestId !== undefined && !isOld && <RequestId id={requestId} />}
    </>
  );
}

function overtakenText({ bump, why }: Dropped): string {
  const words = drawerMessages().notice;
  const by = why.kind === 'overtaken' ? why.by : undefined;
  if (!by) return words.changed;
  const at = formatTimeWithSeconds(by.at);
  const who = shortName(guestName(by.actor.name ?? messages().roles[by.actor.role]));
  return by.to === bump.moves[0]?.to ? words.bumpedBy(who, at) : words.changedBy(who, at);
}
