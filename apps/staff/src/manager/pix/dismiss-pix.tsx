import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { managerMessages } from '../messages.ts';
import type { ActProps } from './assign-pix.tsx';
import { pixMessages } from './messages.ts';
import { pixCurrency, pixFailureWords } from './receipt.ts';

/** Asks why a Pix belongs to no bill. It can still be assigned or given back later. */
export function DismissPix({ client, receipt: { end_to_end_id: e2e, amount }, onDone, onClose }: ActProps) {
  const words = pixMessages();
  const [reason, setReason] = useState('');
  const { failure, isBusy, run } = useAction();
  const isOff = isBusy || reason.trim() === '';
  const dismiss = (): Promise<boolean> =>
    run(async () => onDone(await client.calls.dismissPix({ e2e, reason: reason.trim() })));
  const question = words.dismissAsk(formatMoney(amount, pixCurrency));
  return (
    <Form class="manager-ask" label={question} onSubmit={() => void (isOff || dismiss())}>
      <h2 class="manager-subtitle">{question}</h2>
      <Field label={words.reason} hint={words.dismissHint} maxLength={200} value={reason} onInput={setReason} />
      {failure !== null && <ErrorPanel words={pixFailureWords(failure)} />}
      <div class="manager-pair">
        <Button size="small" onClick={onClose}>
          {managerMessages().cancel}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isOff}>
          {words.dismissYes}
        </Button>
      </div>
    </Form>
  );
}
