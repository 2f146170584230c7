import { Button } from '@comanda/ui/button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import { findArrived } from './find-arrived.ts';
import { orderMessages } from './messages.ts';

/** An order that is on its way, seen from another page than its own. */
export function OutgoingNotice() {
  const words = orderMessages();
  const { navigate } = useRouter();
  if (!useGuest().sending.outgoing.value) return null;
  return (
    <Notice kind="warning" icon="noNetwork" title={words.notSentShort}>
      <p>{words.notSentText}</p>
      <Button size="small" onClick={() => navigate({ page: 'review' })}>
        {words.notSentLook}
      </Button>
    </Notice>
  );
}

/** What became of an order that is not tried any more. */
export function StoppedNotice() {
  const words = orderMessages();
  const { orders, sending } = useGuest();
  const { stopped, dismissStopped } = sending;
  if (!stopped.value) return null;
  const { isOld, table } = stopped.value;
  const arrived = findArrived(orders.all.value, stopped.value);
  const dismiss = (
    <Button size="small" onClick={() => dismissStopped()}>
      {words.understood}
    </Button>
  );
  return arrived ? (
    <Notice kind="good" icon="check" title={words.arrivedAfterAll(arrived.ticket)}>
      <p>{words.arrivedAfterAllHint}</p>
      {dismiss}
    </Notice>
  ) : (
    <Notice kind="warning" icon="warning" title={isOld ? words.stoppedOld : words.stopped}>
      <p>{isOld ? words.stoppedOldHint(table) : words.stoppedHint}</p>
      {dismiss}
    </Notice>
  );
}
