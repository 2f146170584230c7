import type { CallFailure } from '@comanda/client/core';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { failureWords } from '@comanda/ui/failure-words.ts';
import { formatMoney, formatTime } from '@comanda/ui/format.ts';
import { SignInForm } from '@comanda/ui/sign-in-form.tsx';
import { Money } from '@comanda/ui/money.tsx';
import { Countdown } from '../account/countdown.tsx';
import { noteActivity } from '../account/lock.ts';
import { accountMessages } from '../account/messages.ts';
import { useGuest, useRouter } from '../contexts.ts';
import { pinMessages } from './pin-messages.ts';
import { StepPage, type StepProps } from './pin-payment-layout.tsx';
import './pin-payment.css';
import { totalOf, type KeptPayment } from './pin-payment-state.ts';
import { payMessages } from './messages.ts';

/** Lets a guest with an account sign in. What they have selected to pay stays the same. */
export function SignInStep({ kept: { plan } }: { kept: KeptPayment }) {
  const words = pinMessages();
  const { client } = useGuest();
  const onSignedIn = (): void => {
    const userId = client.who()?.userId;
    if (userId !== undefined) noteActivity(userId);
  };
  return (
    <StepPage title={words.title} dock={<OtherWay />}>
      <Money as="p" class="pin-payment-sum">
        {formatMoney(totalOf(plan), plan.currency)}
      </Money>
      <p class="dim account-quiet">{words.signInText}</p>
      <SignInForm client={client} onSignedIn={onSignedIn} />
    </StepPage>
  );
}

/** Shown to a user who has signed in but has no seat at the table yet. */
export function SeatStep() {
  const words = pinMessages();
  const { seat } = useGuest();
  const failure = seat.keepFailure.value;
  if (failure === null && seat.canKeep.value)
    return (
      <StepPage title={words.seatTitle}>
        <p class="dim account-quiet">{words.seatTaking}</p>
      </StepPage>
    );
  return (
    <StepPage
      title={words.seatFailed}
      dock={
        seat.canKeep.value && (
          <Button kind="primary" size="large" onClick={() => void seat.keep()}>
            {words.seatAgain}
          </Button>
        )
      }
    >
      {failure !== null && <ErrorPanel words={failureWords(failure)} />}
      <p>{words.seatScan}</p>
    </StepPage>
  );
}

export const Preparing = () => (
  <StepPage title={pinMessages().title}>
    <p class="dim account-quiet">{pinMessages().reading}</p>
  </StepPage>
);

/** Says that the user has no PIN. The page for creating one leads back here. */
export function NoPin() {
  const words = pinMessages();
  const { navigate } = useRouter();
  const choose = (): void => navigate({ page: 'account', part: 'pin' });
  return (
    <StepPage
      title={words.noPinTitle}
      dock={
        <Button kind="primary" size="large" onClick={choose}>
          {words.choosePin}
        </Button>
      }
    >
      <p>{words.noPinText}</p>
    </StepPage>
  );
}

export const OtherWay = ({ kind = 'secondary' }: { kind?: 'primary' | 'secondary' }) => {
  const { goBack } = useRouter();
  return (
    <Button kind={kind} size="large" onClick={() => goBack({ page: 'pay' })}>
      {payMessages().paying.otherWay}
    </Button>
  );
};

export function Blocked({ until }: { /** Null if only a new PIN ends the block. */ until: string | null }) {
  const account = accountMessages();
  return (
    <StepPage
      title={until === null ? account.blockedForGood : account.blockedUntil(formatTime(until))}
      dock={<OtherWay />}
    >
      <p role="alert" class="dim account-quiet">
        {until === null ? account.blockedForGoodWhy : account.blockedWhy}
      </p>
      {until !== null && <Countdown until={until} />}
      <p>{pinMessages().blockedHint}</p>
      <p class="dim account-quiet">{account.forgotHint}</p>
    </StepPage>
  );
}

type ChangedProps = StepProps & { before: string; now: string };

/** Shows the old and the new amount side by side, with one button to continue. */
export function Changed({ pinPayment, kept, before, now }: ChangedProps) {
  const words = pinMessages();
  const { currency } = kept.plan;
  return (
    <StepPage
      title={payMessages().paying.changedTitle}
      dock={
        <Button kind="primary" size="large" onClick={() => void pinPayment.prepare()}>
          {payMessages().paying.goOn(formatMoney(now, currency))}
        </Button>
      }
    >
      <p>{words.changedText}</p>
      <dl class="pin-payment-amounts">
        <div>
          <dt>{payMessages().paying.before}</dt>
          <Money as="dd">{formatMoney(before, currency)}</Money>
        </div>
        <div>
          <dt>{payMessages().paying.now}</dt>
          <Money as="dd">{formatMoney(now, currency)}</Money>
        </div>
      </dl>
    </StepPage>
  );
}

export function NotReserved({ pinPayment, failure }: StepProps & { failure: CallFailure }) {
  const words = pinMessages();
  return (
    <StepPage
      title={words.notReservedTitle}
      dock={
        <>
          {failure.isUndecided && (
            <Button kind="primary" size="large" onClick={() => void pinPayment.prepare()}>
              {words.tryAgain}
            </Button>
          )}
          <OtherWay />
        </>
      }
    >
      <ErrorPanel words={billFailureWords(failure)} />
    </StepPage>
  );
}
