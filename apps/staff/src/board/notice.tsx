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
import './notice.css';
import { tableName } from './table-name.ts';

export type NoticeProps = { session: BoardSession };

/** Shows which action failed and why, until someone closes the message. */
export function Notice({ session }: NoticeProps) {
  const notice = session.notice.value;
  if (!notice) return null;
  const { table, number } =
    notice.kind === 'failed' ? notice.ticket : { table: notice.bump.table, number: notice.bump.ticket };
  return (
    <div class="board-notice" role="alert">
      <Icon name="warning" />
      <p>
        <strong>
          {tableName(table)} #{number}
        </strong>{' '}
        {notice.kind === 'failed' ? (
          <Failed what={drawerMessages().notice.notCancelled} failure={notice.failure} />
        ) : notice.why.kind === 'refused' ? (
          <Failed what={drawerMessages().notice.notBumped} failure={notice.why.failure} />
        ) : (
          overtakenText(notice)
        )}
      </p>
      <button type="button" class="tool tool-light" onClick={session.closeNotice}>
        {drawerMessages().notice.close}
      </button>
    </div>
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
