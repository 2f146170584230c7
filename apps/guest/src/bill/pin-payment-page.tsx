import { useEffect } from 'preact/hooks';
import { useGuest, useRouter } from '../contexts.ts';
import { useHeadingFocus } from '../account/use-heading-focus.ts';
import '../account/account.css';
import type { Seat } from '../seat/seat.ts';
import type { Bills } from './bills.ts';
import { StepPage, type StepProps } from './pin-payment-layout.tsx';
import { PaymentEnded } from './pin-payment-ended.tsx';
import { AskingPage, PadPage } from './pin-payment-pad.tsx';
import { type OwnAccount, type Stage, totalOf } from './pin-payment-state.ts';
import {
  Blocked,
  Changed,
  NoPin,
  NotReserved,
  OtherWay,
  Preparing,
  SeatStep,
  SignInStep,
} from './pin-payment-steps.tsx';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { pinMessages } from './pin-messages.ts';

/** Pays a part of the bill from an account: a guest signs in first, then the part is reserved, and the PIN pays for it. */
export function PinPaymentPage({ bills }: { bills: Bills }) {
  const { pinPayment } = bills;
  const { seat } = useGuest();
  const { replace } = useRouter();
  const kept = pinPayment.kept.value;
  const stage = pinPayment.stage.value;
  const who = seat.who.value;
  // Only customers can pay from an account; staff can't.
  const isPayer = who?.role === 'customer' && !who.isGuest;
  const isReady = isPayer && isReadable(bills, seat);
  const isNothing = kept === null;
  useHeadingFocus(isReady ? stage.kind : isPayer ? 'seat' : 'sign in');
  useEffect(() => pinPayment.leave, [pinPayment]);
  useEffect(() => {
    if (isReady) void pinPayment.open();
  }, [pinPayment, isReady, who?.userId]);
  useEffect(() => {
    if (isNothing) replace({ page: 'pay' });
  }, [isNothing, replace]);
  if (kept === null) return null;
  if (!isPayer) return <SignInStep kept={kept} />;
  if (!isReady) return <SeatStep />;
  const bill = bills.current.value;
  const props = { pinPayment, kept, restaurant: bills.restaurant.value?.name ?? null };
  const left = bill?.id === kept.plan.billId ? bill.remaining : null;
  if (stage.kind === 'pin') return <PadPage {...props} hint={stage.hint} />;
  if (stage.kind === 'asking') return <AskingPage {...props} stage={stage} />;
  if (stage.kind === 'ended') return <PaymentEnded {...props} ending={stage} left={left} />;
  return <BeforePin {...props} stage={stage} />;
}

/** Returns true if this user may see the payment: at the table, or as a customer who ordered. A sent payment needs no seat. */
function isReadable({ pinPayment, isReadable: mayRead }: Bills, { isSeated, canKeep, keepFailure }: Seat): boolean {
  const { kind } = pinPayment.stage.value;
  if (isSeated.value || kind === 'asking' || kind === 'ended') return true;
  const isKeeping = canKeep.value && keepFailure.value === null;
  return !isKeeping && mayRead(pinPayment.kept.value?.plan.billId ?? 0);
}

type BeforePinProps = StepProps & { stage: Exclude<Stage, { kind: 'pin' | 'asking' | 'ended' }> };

/** Shows what is missing before the PIN can be entered. */
function BeforePin({ stage, ...props }: BeforePinProps) {
  switch (stage.kind) {
    case 'no_pin':
      return <NoPin />;
    case 'blocked':
      return <Blocked until={stage.until} />;
    case 'no_account':
      return <NoAccount />;
    case 'no_money':
      return <NoMoney {...props} />;
    case 'choose_account':
      return <ChooseAccount {...props} accounts={stage.accounts} />;
    case 'changed':
      return <Changed {...props} before={stage.before} now={stage.now} />;
    case 'not_reserved':
      return <NotReserved {...props} failure={stage.failure} />;
    case 'preparing':
    default:
      return <Preparing />;
  }
}

/** Says that this customer has no account, and leads to the other ways to pay. */
function NoAccount() {
  const words = pinMessages();
  return (
    <StepPage title={words.noAccountTitle} dock={<OtherWay kind="primary" />}>
      <p role="status">{words.noAccountText}</p>
    </StepPage>
  );
}

function NoMoney({ pinPayment, kept: { plan } }: StepProps) {
  const words = pinMessages();
  return (
    <StepPage
      title={words.noMoneyTitle}
      dock={
        <>
          <OtherWay kind="primary" />
          <Button size="large" onClick={() => void pinPayment.prepare()}>
            {words.tryAgain}
          </Button>
        </>
      }
    >
      <p role="status">{words.noMoneyText(formatMoney(totalOf(plan), plan.currency))}</p>
    </StepPage>
  );
}

/** Lists the accounts with enough money, but not their balances, because unlike the account pages, this page is never locked. */
function ChooseAccount({ pinPayment, accounts }: StepProps & { accounts: readonly OwnAccount[] }) {
  const words = pinMessages();
  return (
    <StepPage title={words.accountTitle}>
      <div class="stack gap-3 pay-ways">
        {accounts.map(({ id, name }) => (
          <Button key={id} size="large" onClick={() => void pinPayment.payFrom(id)}>
            {words.accountName(id, name)}
          </Button>
        ))}
      </div>
    </StepPage>
  );
}
