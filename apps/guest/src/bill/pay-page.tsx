import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Bill } from '@comanda/contracts/bills';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ChoosePart } from '@comanda/ui/bill/choose-part.tsx';
import { ChooseTip } from '@comanda/ui/bill/choose-tip.tsx';
import { tipOf, type TipChoice } from '@comanda/ui/bill/tip-choice.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { allOpenOf, partOf, previewOf, startOf, type PartChoice, type Way } from '@comanda/ui/bill/part-choice.ts';
import { paidBy } from '@comanda/ui/bill/paid-by.ts';
import { usePrice } from '@comanda/ui/bill/use-price.ts';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { CallButton } from '../call/call-button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { Notice } from '../notice.tsx';
import { StopNotice } from '../stop-notice.tsx';
import { BillNotLiveNotice } from '../not-live-notice.tsx';
import './bill-page.css';
import type { Bills } from './bills.ts';
import { payMessages } from './messages.ts';
import './pay-page.css';
import { TellWaiter } from './tell-waiter.tsx';

/**
 * Lets a guest select what to pay (everything that is left, an equal share, or their own dishes), then the tip and the method.
 */
export function PayPage({ bills }: { bills: Bills }) {
  const words = payMessages();
  const { goBack } = useRouter();
  const bill = bills.current.value;
  const isLeft = bill?.status === 'open' && bill.remaining !== '0.00';
  return (
    <div class="page">
      <header class="page-head">
        <button type="button" class="back-link" onClick={() => goBack({ page: 'bill' })}>
          <Icon name="back" />
          {words.toBill}
        </button>
        <CallButton />
      </header>
      {isLeft && bills.mayPay(bill) ? (
        <Pay key={bill.id} bills={bills} bill={bill} />
      ) : (
        <Main bills={bills}>
          {isLeft ? <Notice kind="info" icon="wallet" title={words.payWaiter} /> : <NothingToPay bills={bills} />}
        </Main>
      )}
    </div>
  );
}

/** Says that there is nothing to pay, once the bill is loaded. */
function NothingToPay({ bills: { current, isBeingRead, isMissing } }: { bills: Bills }) {
  const words = payMessages();
  const bill = current.value;
  if (!bill && isMissing.value) return null;
  if (!bill && isBeingRead.value) return <EmptyState title={words.notRead} />;
  if (bill && bill.reserved !== '0.00') return <Notice kind="info" icon="clock" title={words.restIsBeingPaid} />;
  return <Notice kind="good" icon="check" title={words.nothingLeft} />;
}

const Main = ({ bills, children }: { bills: Bills; children: ComponentChildren }) => (
  <main class="page-main bill-main">
    <div class="page-title">
      <h1 tabIndex={-1}>{payMessages().payTitle}</h1>
    </div>
    <BillNotLiveNotice bills={bills} />
    <StopNotice of="transfers" />
    {children}
  </main>
);

function Pay({ bills, bill }: { bills: Bills; bill: Bill }) {
  const words = payMessages();
  const { seat } = useGuest();
  const { navigate } = useRouter();
  const [isTold, setIsTold] = useState(false);
  const draft = bills.draftOf(bill);
  const { choice, tip } = draft;
  const setChoice = (next: PartChoice): void => bills.changeDraft({ ...draft, choice: next });
  const setTip = (next: TipChoice): void => bills.changeDraft({ ...draft, tip: next });
  const isByDish = bill.split.mode === 'none' || bill.split.mode === 'lines';
  const choose = (way: Way): void => {
    if (way === 'lines') setChoice(mineOf(bill, seat.isOwn));
    else if (way === 'amount') setChoice({ way, typed: priceOfMine(bill, seat.isOwn) });
    else setChoice(startOf(way, bill, peopleOf(bill)));
  };
  const preview = choice && previewOf(bill, choice);
  const amount = preview?.kind === 'priced' ? preview.amount : null;
  const tipAmount = amount === null ? null : tipOf(tip, amount);
  const before = usePrice(choice, amount);
  const show = (each: string): string => formatMoney(each, bill.currency);
  const ownPaid = paidBy(bill, seat.isOwn);
  const payByPin = (): void => {
    const part = choice && partOf(choice);
    if (!part || amount === null) return;
    bills.pinPayment.begin({ billId: bill.id, table: bill.table, currency: bill.currency, part, amount, tip });
    navigate({ page: 'pay', part: 'pin' });
  };
  if (isTold && amount !== null && tipAmount !== null)
    return (
      <Main bills={bills}>
        <TellWaiter bill={bill} amount={amount} tip={tipAmount} before={before} onBack={() => setIsTold(false)} />
      </Main>
    );
  return (
    <>
      <Main bills={bills}>
        {ownPaid !== '0.00' && <Notice kind="good" icon="check" title={words.youPaid(show(ownPaid))} />}
        <div class="pay-ways">
          {(['rest', 'shares', isByDish ? 'lines' : 'amount'] as const).map((way) => (
            <Button key={way} size="large" aria-pressed={choice?.way === way} onClick={() => choose(way)}>
              {way === 'rest' ? words.ways.rest(show(bill.remaining)) : words.ways[way]}
            </Button>
          ))}
        </div>
        {choice && choice.way !== 'rest' && (
          <div class="bill-card">
            {choice.way === 'lines' && isByDish && <p class="bill-hint">{words.mineHint}</p>}
            {choice.way === 'amount' && <p class="bill-hint">{words.notByDish}</p>}
            <ChoosePart
              bill={bill}
              isOwn={seat.isOwn}
              choice={choice}
              amountLabel={words.amount}
              onChange={setChoice}
            />
          </div>
        )}
        {amount !== null && before !== null && (
          <Notice kind="warning" icon="warning" title={words.wasChanged(show(before), show(amount))} />
        )}
        {amount !== null && (
          <section class="bill-card pay-part" aria-label={billMessages().tip}>
            <h2>{billMessages().tip}</h2>
            <ChooseTip
              choice={tip}
              amount={amount}
              currency={bill.currency}
              suggestions={bills.restaurant.value?.tip_suggestions ?? []}
              onChange={setTip}
            />
          </section>
        )}
      </Main>
      {amount !== null && (
        <PayDock bill={bill} amount={amount} tip={tipAmount} onPin={payByPin} onWaiter={() => setIsTold(true)} />
      )}
    </>
  );
}

type PayDockProps = {
  bill: Bill;
  amount: string;
  /** The tip, as a decimal amount; null if the typed text isn't an amount. */ tip: string | null;
  onPin: () => void;
  onWaiter: () => void;
};

/** The bar at the bottom, with the selected amount and the ways to pay it. */
function PayDock({ bill: { currency }, amount, tip, onPin, onWaiter }: PayDockProps) {
  const words = payMessages();
  const isStopped = useGuest().stops.state.value.transfers !== null;
  const total = fromMinor(toMinor(amount) + toMinor(tip ?? '0.00'));
  const [isPinOff, isWaiterOff] = [tip === null || isStopped, tip === null];
  return (
    <footer class="dock pay-dock">
      <p class="pay-total">
        <span>{words.yourPart}</span>{' '}
        <span class="money" translate={false}>
          {formatMoney(total, currency)}
        </span>
      </p>
      {tip !== null && tip !== '0.00' && (
        <p class="bill-hint">{words.withTip(formatMoney(amount, currency), formatMoney(tip, currency))}</p>
      )}
      <Button kind="primary" size="large" aria-disabled={isPinOff} onClick={onPin}>
        {words.byPin(formatMoney(total, currency))}
      </Button>
      <Button size="large" aria-disabled={isWaiterOff} onClick={onWaiter}>
        {words.byWaiter}
      </Button>
    </footer>
  );
}

/** Returns the dishes that this person has ordered and that are not paid yet, including orders from before they signed in. */
function mineOf(bill: Bill, isOwn: (userId: number) => boolean): PartChoice {
  const own = bill.lines.filter(({ ordered_by: by }) => isOwn(by.id));
  const open = own.flatMap(({ id }) => {
    const choice = allOpenOf(bill, id);
    return choice ? [[id, choice] as const] : [];
  });
  return { way: 'lines', lines: new Map(open) };
}

/**
 * Returns the price of this person's dishes, ignoring payments, but at most what is left to pay. An empty string if they have
 * ordered nothing.
 */
function priceOfMine(bill: Bill, isOwn: (userId: number) => boolean): string {
  const unpaid = { ...bill, payments: [] };
  const preview = previewOf(unpaid, mineOf(unpaid, isOwn));
  if (preview?.kind !== 'priced') return '';
  return toMinor(preview.amount) > toMinor(bill.remaining) ? bill.remaining : preview.amount;
}

/** Returns how many people have ordered, but at least two, because the bill is split. */
const peopleOf = ({ lines }: Bill): number => Math.max(2, new Set(lines.map(({ ordered_by: by }) => by.id)).size);
