import { CallFailure, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import type { PixCharge } from '@comanda/ui/bill/pix-code.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { useState } from 'preact/hooks';
import { Ask } from '../ask.tsx';
import { pixWords } from './pix-messages.ts';

type ConfirmPixProps = {
  client: Client;
  payment: BillPayment;
  currency: string;
  /** Who should confirm it. In the mode `bank`, a manager does so only because the bank is down. */
  mode: PixCharge['mode'];
};

/** Lets staff say that they have seen the Pix in the bank's app. The payment then says that staff have confirmed it. */
export function ConfirmPix({ client, payment: { id, total }, currency, mode }: ConfirmPixProps) {
  const words = pixWords();
  const [isAsking, setIsAsking] = useState(false);
  const [reference, setReference] = useState('');
  const { failure, isBusy, run } = useAction();
  const money = formatMoney(total, currency);
  const isByHand = mode === 'bank';
  if (!isAsking)
    return (
      <Button
        kind={isByHand ? 'quiet' : 'primary'}
        size={isByHand ? 'medium' : 'large'}
        class={isByHand ? 'pix-cancel' : ''}
        onClick={() => setIsAsking(true)}
      >
        {isByHand ? words.confirmByHand : words.confirm}
      </Button>
    );
  const confirm = (): Promise<boolean> =>
    run(() =>
      client.calls.confirmPixCharge({
        payment_id: id,
        ...(reference.trim() !== '' && { reference: reference.trim() }),
      }),
    );
  return (
    <div ref={intoView}>
      <Ask question={words.confirmAsk(money)}>
        <Form onSubmit={() => void confirm()}>
          <p>{words.confirmText}</p>
          {failure !== null && <ErrorPanel words={wordsOf(failure, mode)} />}
          <Field label={words.reference} value={reference} maxLength={64} autocomplete="off" onInput={setReference} />
          <div class="waiter-ask-buttons">
            <Button onClick={() => setIsAsking(false)}>{words.confirmNo}</Button>
            <Button kind="primary" type="submit" aria-disabled={isBusy}>
              {words.confirmYes(money)}
            </Button>
          </div>
        </Form>
      </Ask>
    </div>
  );
}

/** The question is below the code, so it is scrolled into view. */
const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

function wordsOf(failure: unknown, mode: PixCharge['mode']): FailureWords {
  const found = billFailureWords(failure);
  if (!(failure instanceof CallFailure && failure.is('payment_not_payable'))) return found;
  return { ...found, happened: pixWords().notConfirmed, toDo: pixWords().notConfirmedToDo[mode] };
}
