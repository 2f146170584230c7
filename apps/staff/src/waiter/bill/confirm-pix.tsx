import { CallFailure, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import type { PixCharge } from '@comanda/ui/bill/pix-code.ts';
import { AskInPlace } from '@comanda/ui/ask.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useState } from 'preact/hooks';
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
  const [reference, setReference] = useState('');
  const money = formatMoney(total, currency);
  const isByHand = mode === 'bank';
  const confirm = (): Promise<unknown> =>
    client.calls.confirmPixCharge({ payment_id: id, ...(reference.trim() !== '' && { reference: reference.trim() }) });
  return (
    <AskInPlace
      opener={
        isByHand
          ? { kind: 'quiet', class: 'pix-cancel', children: words.confirmByHand }
          : { kind: 'primary', size: 'large', children: words.confirm }
      }
      question={words.confirmAsk(money)}
      yes={words.confirmYes(money)}
      no={words.confirmNo}
      wordsOf={(failure) => wordsOf(failure, mode)}
      onYes={confirm}
    >
      <p>{words.confirmText}</p>
      <Field label={words.reference} value={reference} maxLength={64} autocomplete="off" onInput={setReference} />
    </AskInPlace>
  );
}

function wordsOf(failure: unknown, mode: PixCharge['mode']): FailureWords {
  const found = billFailureWords(failure);
  if (!(failure instanceof CallFailure && failure.is('payment_not_payable'))) return found;
  return { ...found, happened: pixWords().notConfirmed, toDo: pixWords().notConfirmedToDo[mode] };
}
