import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatDay, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { type ActProps, AssignPix } from './assign-pix.tsx';
import { pixMessages } from './messages.ts';
import { type PixProps, type Receipt, pixCurrency, pixFailureWords } from './receipt.ts';
import { Ask } from '@comanda/ui/ask.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { usePixReservation } from './reservation.ts';

export type ReceiptProps = PixProps & { receipt: Receipt; onChanged: (receipt: Receipt) => void };

/** One Pix: how much, when, why it pays no bill, and what a manager can do with it. */
export function ReceiptRow({ client, session, receipt, onChanged }: ReceiptProps) {
  const words = pixMessages();
  const { end_to_end_id: e2e, amount, received_at: at, state, note, dismissed, refunds } = receipt;
  const isAssignable = state === 'unmatched' || state === 'dismissed';
  const { reservation } = usePixReservation(client, e2e);
  // After a reload, the manager sees that an assignment isn't finished.
  const [open, setOpen] = useState<'assign' | 'dismiss' | null>(isAssignable && reservation ? 'assign' : null);
  const { failure, isBusy, run } = useAction();
  const [key, setKey] = useState(() => client.newKey());
  const money = formatMoney(amount, pixCurrency);
  const last = refunds.at(-1);
  const refund = (): void => {
    setOpen(null);
    void run(async () => {
      const input = { e2e, amount, currency: pixCurrency } as const;
      const purpose = (): string => words.refundPurpose(money);
      onChanged(await session.consent.run({ call: 'refundPix', input, key, purpose }));
      setKey(client.newKey());
    });
  };
  const done = (changed: Receipt): void => {
    setOpen(null);
    onChanged(changed);
  };
  const props = { client, session, receipt, onDone: done, onClose: () => setOpen(null) };
  return (
    <li class="card stack gap-2 pix-receipt">
      <div class="wrap pix-receipt-head">
        <Money as="strong">{money}</Money>
        <span>
          {formatDay(at)}, {formatTime(at)}
        </span>
        <span class="pix-receipt-state">{words.states[state] ?? state}</span>
      </div>
      <Details receipt={receipt} />
      {note !== null && (
        <p>
          <bdi>{words.note(note)}</bdi>
        </p>
      )}
      {dismissed && state === 'dismissed' && (
        <p>
          <bdi>{dismissed.reason}</bdi> · <bdi>{words.by(dismissed.by.name, formatTime(dismissed.at))}</bdi>
        </p>
      )}
      {last && (state === 'refunding' || state === 'refunded') && (
        <p>
          <bdi>{words.by(last.by.name, formatTime(last.at))}</bdi>
        </p>
      )}
      {last?.status === 'failed' && state !== 'refunding' && state !== 'refunded' && (
        <p class="manager-warning">{words.refundFailed}</p>
      )}
      {failure !== null && <ErrorPanel words={pixFailureWords(failure)} />}
      {open === 'assign' && <AssignPix {...props} />}
      {open === 'dismiss' && <DismissPix {...props} />}
      {open === null && (
        <div class="wrap gap-2 pix-receipt-acts">
          {isAssignable && (
            <Button size="small" aria-label={words.assignLabel(money)} onClick={() => setOpen('assign')}>
              {words.assign}
            </Button>
          )}
          {(isAssignable || state === 'settled') && (
            <Button size="small" aria-label={words.refundLabel(money)} aria-disabled={isBusy} onClick={refund}>
              {words.refund}
            </Button>
          )}
          {state === 'unmatched' && (
            <Button size="small" aria-label={words.dismissLabel(money)} onClick={() => setOpen('dismiss')}>
              {words.dismiss}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function Details({ receipt: { reason } }: { receipt: Receipt }) {
  return reason === null ? null : <p class="pix-receipt-why">{pixMessages().reasons[reason] ?? reason}</p>;
}

/** Asks why a Pix belongs to no bill. It can still be assigned or given back later. */
function DismissPix({ client, receipt: { end_to_end_id: e2e, amount }, onDone, onClose }: ActProps) {
  const words = pixMessages();
  const [reason, setReason] = useState('');
  return (
    <Ask
      question={words.dismissAsk(formatMoney(amount, pixCurrency))}
      yes={pixMessages().dismiss}
      isReady={reason.trim() !== ''}
      wordsOf={pixFailureWords}
      onYes={async () => onDone(await client.calls.dismissPix({ e2e, reason: reason.trim() }))}
      onClose={onClose}
    >
      <Field label={words.reason} hint={words.dismissHint} maxLength={200} value={reason} onInput={setReason} />
    </Ask>
  );
}
