import { CallFailure } from '@comanda/client/core';
import { bills as allBills } from '@comanda/client/collections/bills';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import '@comanda/ui/bill/choose-lines.css';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { Form } from '@comanda/ui/form.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useAction } from '@comanda/ui/use-action.ts';
import { useCollection } from '@comanda/ui/use-collection.ts';
import { useState } from 'preact/hooks';
import { LoadingRows } from '../../loading/loading-rows.tsx';
import { managerMessages } from '../messages.ts';
import { pixMessages } from './messages.ts';
import { pixCurrency, pixFailureWords, type PixProps, type Receipt } from './receipt.ts';
import { usePixReservation, type PixReservation } from './reservation.ts';

export type ActProps = PixProps & { receipt: Receipt; onDone: (receipt: Receipt) => void; onClose: () => void };

/**
 * Asks which open bill a Pix pays. What it exceeds the rest of the bill by becomes a tip. Once a part of a bill is reserved for it, the
 * manager can only continue or release that part.
 */
export function AssignPix({ client, receipt, onDone, onClose }: ActProps) {
  const words = pixMessages();
  const { end_to_end_id: e2e, amount } = receipt;
  const { rows, isLoaded } = useCollection(client, allBills);
  const [chosen, setChosen] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Receipt | null>(null);
  const { reservation, reserve, release, forget } = usePixReservation(client, e2e);
  const { failure, isBusy, run } = useAction();
  const open = billsFor(amount, rows.value);
  const bill = open.find(({ id }) => id === chosen);
  const target = reservation ? { id: reservation.input.id, table: reservation.table } : bill;
  const isUnfinished = reservation !== null && !isBusy;
  const isSettling = outcome?.state === 'settling' && receipt.version <= outcome.version;
  const assign = async (of: PixReservation): Promise<void> => {
    setOutcome(null);
    const paymentId = await reserve(of);
    try {
      const changed = await client.calls.assignPix({ e2e, payment_id: paymentId });
      if (changed.state === 'settled') {
        forget();
        return onDone(changed);
      }
      setOutcome(changed);
      // The part must not stay reserved for a Pix that doesn't pay it.
      if (changed.state === 'unmatched') await release({ ...of, paymentId });
    } catch (error) {
      // Without a response, the Pix may pay it: then the same payment is tried again.
      if (error instanceof CallFailure && error.is('pix_receipt_state')) await release({ ...of, paymentId });
      throw error;
    }
  };
  const question = words.assignAsk(formatMoney(amount, pixCurrency));
  return (
    <Form
      class="manager-ask"
      label={question}
      onSubmit={() => {
        if (isSettling) return;
        if (reservation) void run(() => assign(reservation));
        else if (bill) void run(() => assign(reservationOf(bill, { amount, key: client.newKey() })));
      }}
    >
      <h2 class="manager-subtitle">{question}</h2>
      {isUnfinished && target ? (
        !isSettling && <p role="status">{words.unfinished(words.bill(target.id, target.table))}</p>
      ) : (
        <>
          {!isLoaded.value && <LoadingRows />}
          {isLoaded.value && open.length === 0 && <p role="status">{words.noBill}</p>}
          <div class="stack pix-bills">
            {open.map((each) => (
              <label key={each.id} class="row wrap choose-line">
                <input
                  type="radio"
                  name={`bill of ${e2e}`}
                  checked={each.id === chosen}
                  onChange={() => setChosen(each.id)}
                />
                <span class="centre choose-line-box">
                  <Icon name="check" size={20} />
                </span>
                <span>
                  <strong>{words.bill(each.id, each.table)}</strong> <BillTerms amount={amount} bill={each} />
                </span>
              </label>
            ))}
          </div>
        </>
      )}
      {failure !== null && <ErrorPanel words={wordsOf(failure)} />}
      {outcome && (
        <p role="alert" class="manager-warning">
          {outcome.state === 'settling'
            ? words.stillChecking
            : `${words.notAssigned} ${words.reasons[outcome.reason ?? ''] ?? outcome.reason ?? ''}`}
        </p>
      )}
      <p class="dim">{words.assignHint}</p>
      <div class="manager-pair">
        {isUnfinished && !isSettling ? (
          <Button size="small" aria-disabled={isBusy} onClick={() => void run(() => release(reservation))}>
            {words.giveUp}
          </Button>
        ) : (
          <Button size="small" onClick={onClose}>
            {managerMessages().cancel}
          </Button>
        )}
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy || isSettling || !target}>
          {target ? words.assignTo(words.bill(target.id, target.table)) : words.assign}
        </Button>
      </div>
    </Form>
  );
}

const wordsOf = (failure: unknown): FailureWords =>
  failure instanceof CallFailure && failure.is('pix_receipt_state')
    ? pixFailureWords(failure)
    : billFailureWords(failure);

function BillTerms({ amount, bill: { remaining, currency } }: { amount: string; bill: Bill }) {
  const words = pixMessages();
  const { tip } = partOfBill(amount, remaining);
  const left = formatMoney(remaining, currency);
  return <span>{tip === '0.00' ? words.left(left) : words.withTip(left, formatMoney(tip, currency))}</span>;
}

/**
 * Returns the open bills that this amount may pay, the likeliest first: with the smallest difference. The tip that remains is at
 * most as large as the rest of the bill.
 */
function billsFor(amount: string, bills: readonly Bill[]): readonly Bill[] {
  const over = ({ remaining }: Bill): bigint => toMinor(amount) - toMinor(remaining);
  const distance = (bill: Bill): bigint => (over(bill) < 0n ? -over(bill) : over(bill));
  return bills
    .filter((bill) => bill.status === 'open' && over(bill) <= toMinor(bill.remaining) && bill.remaining !== '0.00')
    .sort((a, b) => Number(distance(a) - distance(b)));
}

/** Returns the reservation of the part of a bill that a Pix pays. */
function reservationOf(
  { id, table, remaining }: Bill,
  { amount, key }: { amount: string; key: string },
): PixReservation {
  const { amount: price, tip, part } = partOfBill(amount, remaining);
  return { input: { id, method: 'pix', part, expected_amount: price, tip }, key, table, paymentId: null };
}

/** Returns the part of a bill that a Pix pays, and the tip that is left of it. */
function partOfBill(amount: string, remaining: string) {
  const over = toMinor(amount) - toMinor(remaining);
  if (over < 0n) return { part: { amount }, amount, tip: '0.00' };
  return { part: { rest: true }, amount: remaining, tip: fromMinor(over) } as const;
}
