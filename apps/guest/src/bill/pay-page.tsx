import type { Bill } from '@comanda/contracts/bills';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ChoosePart } from '@comanda/ui/bill/choose-part.tsx';
import { ChooseTip } from '@comanda/ui/bill/choose-tip.tsx';
import { type TipChoice, tipOf } from '@comanda/ui/bill/tip-choice.ts';
import { billMessages } from '@comanda/ui/bill/messages.ts';
import { type PartChoice, type Way, allOpenOf, partOf, previewOf, startOf } from '@comanda/ui/bill/part-choice.ts';
import { paidBy } from '@comanda/ui/bill/paid-by.ts';
import { usePrice } from '@comanda/ui/bill/use-price.ts';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { CallButton } from '../call/call-button.tsx';
import { useGuest, useRouter } from '../contexts.ts';
import { EmptyState } from '../empty-state.tsx';
import { Notice } from '../notice.tsx';
import { BillNotLiveNotice } from '../not-live-notice.tsx';
import { StopNotice } from '../stop-notice.tsx';
import './bill-page.css';
import type { Bills } from './bills.ts';
import { payMessages } from './messages.ts';
import { PayDock } from './pay-dock.tsx';
import './pay-page.css';
import { useHasAccount } from './use-has-account.ts';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { CancelPix } from './cancel-pix.tsx';
import { toMinor } from '@comanda/contracts/money';

/**
 * Lets a guest select what to pay (everything that is left, an equal share, or their own dishes), then the tip and the method.
 */
export function PayPage({ bills }: { bills: Bills }) {
  const words = payMessages();
  const { goBack } = useRouter();
  const bill = bills.current.value;
  const isLeft = bill?.status === 'open' && bill.remaining !== '0.00';
  const ownPix = bill && bills.ownPixOf(bill);
  return (
    <div class="page">
      <header class="page-head">
        <button type="button" class="back-link" onClick={() => goBack({ page: 'bill' })}>
          <Icon name="back" />
          {words.toBill}
        </button>
        <CallButton />
      </header>
      {bill && ownPix ? (
        <Main bills={bills}>
          <PixUnderWay bills={bills} payment={ownPix} currency={bill.currency} />
        </Main>
      ) : isLeft && bills.mayPay(bill) ? (
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
  <main class="stack gap-4 page-main bill-main">
    <div class="page-title">
      <h1 tabIndex={-1}>{payMessages().payTitle}</h1>
    </div>
    <BillNotLiveNotice bills={bills} />
    {children}
  </main>
);

function Pay({ bills, bill }: { bills: Bills; bill: Bill }) {
  const words = payMessages();
  const { seat, calls } = useGuest();
  const { navigate } = useRouter();
  const { pix, pinPayment } = bills;
  const [first] = useState(() => firstChoice(bill, seat.isOwn));
  const draft = bills.draftOf(bill);
  const { tip } = draft;
  const choice = draft.choice ?? first;
  const hasAccount = useHasAccount(bill.currency);
  const mode = pix.mode.value;
  useEffect(() => {
    if (mode === null) void pix.loadMode();
  }, [pix, mode]);
  const setChoice = (next: PartChoice): void => bills.changeDraft({ ...draft, choice: next });
  const setTip = (next: TipChoice): void => bills.changeDraft({ ...draft, choice, tip: next });
  const choose = (way: Way): void => {
    if (way === 'lines') setChoice(mineOf(bill, seat.isOwn));
    else if (way === 'amount') setChoice({ way, typed: priceOfMine(bill, seat.isOwn) });
    else setChoice(startOf(way, bill));
  };
  const preview = previewOf(bill, choice);
  const amount = preview?.kind === 'priced' ? preview.amount : null;
  const tipAmount = amount === null ? null : tipOf(tip, amount);
  const before = usePrice(choice, amount);
  const show = (each: string): string => formatMoney(each, bill.currency);
  const ownPaid = paidBy(bill, seat.isOwn);
  const part = partOf(choice);
  const payByPix = (): void => {
    if (part === null || amount === null || tipAmount === null) return;
    // Nobody needs to come for the card or the cash any more.
    const called = calls.waiting.value.find((call) => call.kind === 'bill' && call.amount != null);
    if (called) void calls.takeBack(called);
    pix.begin({ billId: bill.id, currency: bill.currency, part, amount, tip: tipAmount });
    navigate({ page: 'pay', part: 'pix' });
  };
  const payFromAccount = (): void => {
    if (part === null || amount === null) return;
    pinPayment.begin({ billId: bill.id, table: bill.table, currency: bill.currency, part, amount, tip });
    navigate({ page: 'pay', part: 'pin' });
  };
  return (
    <>
      <Main bills={bills}>
        {hasAccount && <StopNotice of="transfers" />}
        {ownPaid !== '0.00' && <Notice kind="good" icon="check" title={words.youPaid(show(ownPaid))} />}
        <div class="stack gap-3 pay-ways">
          {(['rest', 'shares', isByDish(bill) ? 'lines' : 'amount'] as const).map((way) => (
            <Button key={way} aria-pressed={choice.way === way} onClick={() => choose(way)}>
              {way === 'rest' ? words.ways.rest(show(bill.remaining)) : words.ways[way]}
            </Button>
          ))}
        </div>
        {choice.way !== 'rest' && (
          <div class="bill-card">
            <h2 class="visually-hidden">{words.ways[choice.way]}</h2>
            {choice.way === 'lines' && isByDish(bill) && <p class="dim">{words.mineHint}</p>}
            {choice.way === 'amount' && <p class="dim">{words.notByDish}</p>}
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
          <section class="stack gap-3 bill-card pay-part" aria-label={billMessages().tip}>
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
        <PayDock
          bill={bill}
          amount={amount}
          tip={tipAmount}
          onPix={mode === 'staff' || mode === 'bank' ? payByPix : null}
          onAccount={hasAccount ? payFromAccount : null}
        />
      )}
    </>
  );
}

type PixUnderWayProps = { bills: Bills; payment: BillPayment; currency: string };

/** Shown in place of the choices while this guest has a Pix code that is not paid yet. */
function PixUnderWay({ bills: { pix }, payment, currency }: PixUnderWayProps) {
  const words = payMessages();
  const { navigate } = useRouter();
  return (
    <section class="stack gap-3 bill-card pay-part">
      <h2 class="row gap-2 pay-under-way">
        <Icon name="clock" /> {words.pixUnderWay(formatMoney(payment.total, currency))}
      </h2>
      <p class="dim">{words.pixUnderWayText}</p>
      <Button kind="primary" size="large" onClick={() => navigate({ page: 'pay', part: 'pix', id: payment.id })}>
        {billMessages().showCode}
      </Button>
      <CancelPix pix={pix} payment={payment} label={words.cancelPix} onCancelled={() => {}} />
    </section>
  );
}

type IsOwn = (userId: number) => boolean;

/** Returns true if the bill can be paid dish by dish. */
const isByDish = ({ split }: Bill): boolean => split.mode === 'none' || split.mode === 'lines';

/**
 * Returns the part that is selected when a guest opens the page: their own dishes, or a share if others have paid shares, or
 * everything if nobody else has something to pay.
 */
function firstChoice(bill: Bill, isOwn: IsOwn): PartChoice {
  if (bill.split.mode === 'shares') return startOf('shares', bill);
  const hasOthers = bill.lines.some(({ id, ordered_by: by }) => !isOwn(by.id) && allOpenOf(bill, id) !== null);
  const mine = mineOf(bill, isOwn);
  if (isByDish(bill) && hasOthers && mine.lines.size > 0) return mine;
  return { way: 'rest' };
}

/** Returns the dishes that this person has ordered and that are not paid yet, including orders from before they signed in. */
function mineOf(bill: Bill, isOwn: IsOwn): Extract<PartChoice, { way: 'lines' }> {
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
function priceOfMine(bill: Bill, isOwn: IsOwn): string {
  const unpaid = { ...bill, payments: [] };
  const preview = previewOf(unpaid, mineOf(unpaid, isOwn));
  if (preview?.kind !== 'priced') return '';
  return toMinor(preview.amount) > toMinor(bill.remaining) ? bill.remaining : preview.amount;
}
