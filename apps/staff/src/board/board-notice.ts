import { CallFailure } from '@comanda/client/core';
import { signal } from '@preact/signals';
import type { Dropped } from '../bumps/bump-queue.ts';
import type { FailedRequest } from './cancel-requests.ts';
import type { FailedPause } from './late-settings.ts';
import { onDevice } from '../on-device.ts';

export type BoardNotice = Dropped | FailedRequest | FailedPause;

/**
 * Opens the message about an action that failed. It stays until someone closes it, even after one reload. A second reload
 * discards it, because the script that shows it may be the reason for the reload.
 */
export function openBoardNotice(userId: number) {
  const notice = signal(readNotice(userId));
  function show(next: BoardNotice | null): void {
    notice.value = next;
    onDevice.notice.write(next && { userId, notice: next });
  }
  return { notice, show };
}

function readNotice(userId: number): BoardNotice | null {
  const saved = onDevice.notice.get();
  onDevice.notice.write(null);
  return saved?.userId === userId ? withFailure(saved.notice) : null;
}
/** Turns the stored failure back into an error object, because JSON doesn't store its methods. */
function withFailure(notice: BoardNotice): BoardNotice {
  const again = (failure: CallFailure): CallFailure => new CallFailure(failure.code, failure);
  if ('failure' in notice) return { ...notice, failure: again(notice.failure) };
  const { why } = notice;
  return why.kind === 'refused' ? { ...notice, why: { ...why, failure: again(why.failure) } } : notice;
}
