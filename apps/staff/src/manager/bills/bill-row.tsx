import { CallFailure, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import type { Bill } from '@comanda/contracts/bills';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { hasArrived } from '@comanda/ui/bill/paid-by.ts';
import { receiptText } from '@comanda/ui/bill/receipt-text.ts';
import { Ask } from '@comanda/ui/ask.tsx';
import { Button, IconButton } from '@comanda/ui/button.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Field } from '@comanda/ui/field.tsx';
import { formatDay, formatList, formatMoney, formatTime } from '@comanda/ui/format.ts';
import { LateIcon } from '@comanda/ui/late-icon.tsx';
import { saveFile } from '@comanda/ui/save-file.ts';
import { uiMessages } from '@comanda/ui/messages.ts';
import { useState } from 'preact/hooks';
import type { ManagerSession } from '../manager-session.ts';
import { managerFailureWords, managerMessages } from '../messages.ts';
import { messages } from '../../messages.ts';

type BillRowProps = { bill: Bill; client: Client; session: ManagerSession; onChanged: (bill: Bill) => void };

/** A bill in the list. Below it, on request, its receipt can be printed and saved, and a closed bill reopened. */
export function BillRow({ bill, client, session, onChanged }: BillRowProps) {
  const words = managerMessages().bills;
  const { id, number, status, table, total, remaining, currency, created_at: at, payments } = bill;
  const [isOpen, setIsOpen] = useState(false);
  const methods = [...new Set(payments.filter(hasArrived).map(methodOf))];
  const state = status === 'closed' && number !== null ? words.numbered(number) : words.states[status];
  const name = `${state} · ${table === null ? messages().ticket.noTable : uiMessages().tableOf(table)}`;
  return (
    <>
      <tr>
        <th scope="row">
          <a href={`#/waiter/bill/${id}`}>{name}</a>
        </th>
        <td>
          <span class="dim manager-label">{words.opened} </span>
          {formatDay(at)}, {formatTime(at)}
        </td>
        <td>{methods.length === 0 ? words.notPaid : formatList(methods)}</td>
        <td>
          {formatMoney(total, currency)}
          {status === 'open' && remaining !== '0.00' && (
            <span class="bill-list-left"> {words.left(formatMoney(remaining, currency))}</span>
          )}
        </td>
        <td class="bill-list-more">
          <IconButton label={words.moreOf(name)} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <span aria-hidden="true">…</span>
          </IconButton>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={5}>
            <Actions {...{ bill, client, session, onChanged }} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The payment's method; for Pix, also who confirmed it. */
function methodOf({ method, pix }: BillPayment): string {
  const name = billMessages().methods[method];
  return pix?.confirmed_by == null ? name : managerMessages().bills.confirmedBy[pix.confirmed_by](name);
}

function Actions({ bill, client, session, onChanged }: BillRowProps) {
  const words = managerMessages().bills;
  const { receipt } = billMessages();
  const [isReopening, setIsReopening] = useState(false);
  const text = (): string => receiptText(bill, session.restaurant.name.value);
  if (isReopening) return <Reopen {...{ bill, client, onChanged }} onEnd={() => setIsReopening(false)} />;
  return (
    <div class="wrap gap-3">
      <Button size="small" onClick={() => session.printing.printReceipt(text())}>
        {words.print}
      </Button>
      <Button
        size="small"
        icon={<LateIcon name="download" size={20} />}
        onClick={() => saveFile(new Blob([`${text()}\n`], { type: 'text/plain' }), receipt.file(bill.number))}
      >
        {receipt.save}
      </Button>
      {bill.status === 'closed' && (
        <Button size="small" onClick={() => setIsReopening(true)}>
          {words.reopen}
        </Button>
      )}
    </div>
  );
}

type ReopenProps = Pick<BillRowProps, 'bill' | 'client' | 'onChanged'> & { onEnd: () => void };

/** Asks why the bill is reopened. The list of exceptions shows the reason. */
function Reopen({ bill, client, onChanged, onEnd }: ReopenProps) {
  const words = managerMessages().bills;
  const [reason, setReason] = useState('');
  return (
    <Ask
      question={words.reopenAsk}
      yes={words.reopen}
      isReady={reason.trim() !== ''}
      wordsOf={reopenFailureWords}
      onYes={async () => onChanged(await client.calls.reopenBill({ id: bill.id, reason: reason.trim() }))}
      onClose={onEnd}
    >
      <Field label={words.reason} hint={words.reasonHint} maxLength={200} value={reason} onInput={setReason} />
    </Ask>
  );
}

function reopenFailureWords(failure: unknown): FailureWords {
  const { cannotReopen } = managerMessages().bills;
  const words = managerFailureWords(failure);
  return failure instanceof CallFailure && failure.is('bill_not_open') ? { ...words, ...cannotReopen } : words;
}
