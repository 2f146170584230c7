import type { Bill } from '@comanda/contracts/bills';
import { toMinor } from '@comanda/contracts/money';
import { useRef, useState } from 'preact/hooks';
import { ChoosePart } from '@comanda/ui/bill/choose-part.tsx';
import { ChooseTip } from '@comanda/ui/bill/choose-tip.tsx';
import { tipOf, withTip, type TipChoice } from '@comanda/ui/bill/tip-choice.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { partOf, previewOf, startOf, type PartChoice } from '@comanda/ui/bill/part-choice.ts';
import { usePrice } from '@comanda/ui/bill/use-price.ts';
import { useTakesPix } from '@comanda/ui/bill/use-takes-pix.ts';
import { Button } from '@comanda/ui/button.tsx';
import { Chip } from '@comanda/ui/chip.tsx';
import { formatMoney, formatTyped } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { goTo } from '../../address.ts';
import { usedDrawer } from '../../cash/choose-drawer.tsx';
import type { BillProps } from './bill-page.tsx';
import { Cash, readReceived } from './cash.tsx';
import { billWords } from './messages.ts';
import './record-payment.css';
import { StartPix } from './start-pix.tsx';
import { unservedOf } from './unserved.ts';

const ways = ['rest', 'shares', 'lines', 'amount'] as const;
const methods = ['cash', 'card', 'pix', 'other'] as const;
type Method = (typeof methods)[number];

type RecordPaymentProps = BillProps & {
  /** The method and the amount, without a tip, that a guest has asked for. They are selected at first. Empty texts if unknown. */
  wished: { method: string; amount: string };
};

/**
 * The page on which a waiter records what a guest pays, and by which method. By default, the guest pays everything that is left.
 */
export function RecordPayment({ session, bill, wished }: RecordPaymentProps) {
  const words = billWords();
  const { restaurant } = session.paying;
  const takesPix = useTakesPix(session.client);
  const [choice, setChoice] = useState<PartChoice>(() => wishedPart(bill, wished.amount));
  const [method, setMethod] = useState<Method | null>(methods.find((each) => each === wished.method) ?? null);
  const [tip, setTip] = useState<TipChoice>(null);
  const preview = previewOf(bill, choice);
  const amount = preview?.kind === 'priced' ? preview.amount : null;
  const currency = bill.currency;
  return (
    <>
      <a class="waiter-back" href={`#/waiter/bill/${bill.id}`}>
        <Icon name="back" /> {words.title(bill.table)}
      </a>
      <div class="waiter-page-head">
        <h1>{words.pay.title}</h1>
        <p>
          {billMessages().leftToPay} <strong>{formatMoney(bill.remaining, currency)}</strong>
        </p>
      </div>
      <section class="waiter-panel" aria-label={words.pay.what}>
        <h2>{words.pay.what}</h2>
        <div class="wrap gap-2 pay-ways">
          {ways.map((way) => (
            <Chip key={way} pressed={choice.way === way} onClick={() => setChoice(startOf(way, bill))}>
              {words.pay.ways[way]}
            </Chip>
          ))}
        </div>
        <ChoosePart bill={bill} choice={choice} amountLabel={words.pay.amount} onChange={setChoice} />
        <Price bill={bill} choice={choice} amount={amount} />
      </section>
      <section class="waiter-panel" aria-label={words.pay.how}>
        <h2>{words.pay.how}</h2>
        <div class="pay-methods">
          {methods
            .filter((each) => each !== 'pix' || takesPix)
            .map((each) => (
              <Button key={each} size="large" aria-pressed={method === each} onClick={() => setMethod(each)}>
                {billWords().methodNames[each]}
              </Button>
            ))}
        </div>
        {tip === null ? (
          <Chip pressed={false} onClick={() => setTip('none')}>
            {billMessages().tip}
          </Chip>
        ) : (
          <ChooseTip
            choice={tip}
            amount={amount ?? '0.00'}
            currency={currency}
            suggestions={restaurant.value?.tip_suggestions ?? []}
            onChange={setTip}
          />
        )}
      </section>
      <Finish key={method} {...{ session, bill, choice, amount, method }} tip={tipOf(tip, amount ?? '0.00')} />
    </>
  );
}

type PriceProps = { bill: Bill; choice: PartChoice; amount: string | null };

/** Shows the price of the selected part. If the bill changes while the waiter looks at it, also shows the previous price. */
function Price({ bill: { currency }, choice, amount }: PriceProps) {
  const words = billWords().pay;
  const before = usePrice(choice, amount);
  if (amount === null) return null;
  return (
    <>
      {before !== null && (
        <p class="edge on-amber-soft choose-refusal" role="alert">
          {words.wasChanged(formatMoney(before, currency), formatMoney(amount, currency))}
        </p>
      )}
      <p class="pay-price">{formatMoney(amount, currency)}</p>
    </>
  );
}

type FinishProps = BillProps & {
  choice: PartChoice;
  amount: string | null;
  method: Method | null;
  tip: string | null;
};

/** The field for the received cash, the change, and the button that records the payment. */
function Finish({ session, bill, choice, amount, method, tip }: FinishProps) {
  const words = billWords();
  const cashDrawer = usedDrawer();
  const [typed, setTyped] = useState('');
  // Before the page is left, a second tap would be another payment.
  const recordedRef = useRef(false);
  const part = partOf(choice);
  if (part === null || amount === null) return <Off text={words.pay.chooseFirst} />;
  if (method === null) return <Off text={words.pay.chooseMethod} />;
  if (method === 'pix') return <StartPix {...{ session, bill, part, amount, tip }} />;
  const total = withTip({ amount, tip: tip ?? '0.00' });
  const received = method === 'cash' ? readReceived(typed) : null;
  const isEnough = received === null || toMinor(received) >= toMinor(total);
  const mayRecord = tip !== null && isEnough;
  const record = (ends: boolean): void => {
    if (tip === null || !isEnough || recordedRef.current) return;
    recordedRef.current = true;
    const { id: billId, table, seating, currency } = bill;
    session.paying.record({
      billId,
      table,
      currency,
      method,
      part,
      amount,
      tip,
      received,
      ...(method === 'cash' && cashDrawer !== null && { cashDrawer }),
      ...(ends && { ends: { seating } }),
    });
    goTo(ends ? '#/waiter/tables' : `#/waiter/bill/${billId}`);
  };
  const mayEnd = choice.way === 'rest' && unservedOf(bill) === 0;
  const money = formatMoney(total, bill.currency);
  return (
    <>
      {method === 'cash' && (
        <Cash client={session.client} total={total} currency={bill.currency} typed={typed} onTyped={setTyped} />
      )}
      <div class="pay-record">
        {mayEnd && (
          <Button kind="primary" size="large" aria-disabled={!mayRecord} onClick={() => record(true)}>
            {words.pay.recordAndEnd(billWords().methodNames[method], money)}
          </Button>
        )}
        <Button
          kind={mayEnd ? 'quiet' : 'primary'}
          size={mayEnd ? 'small' : 'large'}
          aria-disabled={!mayRecord}
          onClick={() => record(false)}
        >
          {words.pay.record(words.methods[method], money)}
        </Button>
      </div>
    </>
  );
}

/** Returns the part that a guest has asked to pay, at most all that is left. What is more than that isn't a tip: others have paid. */
function wishedPart({ remaining }: Bill, wished: string): PartChoice {
  const amount = readAmount(wished);
  const isLess = amount !== null && toMinor(amount) < toMinor(remaining);
  return isLess ? { way: 'amount', typed: formatTyped(amount) } : { way: 'rest' };
}

const Off = ({ text }: { text: string }) => (
  <div class="pay-record">
    <Button kind="primary" size="large" aria-disabled>
      {text}
    </Button>
  </div>
);
