import { Ask } from '@comanda/ui/ask.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
import type { ActProps } from './assign-pix.tsx';
import { pixMessages } from './messages.ts';
import { pixCurrency, pixFailureWords } from './receipt.ts';

/** Asks why a Pix belongs to no bill. It can still be assigned or given back later. */
export function DismissPix({ client, receipt: { end_to_end_id: e2e, amount }, onDone, onClose }: ActProps) {
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
