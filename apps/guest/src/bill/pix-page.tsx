import { useEffect } from 'preact/hooks';
import { billFailureWords } from '@comanda/ui/bill/bill-failure-words.ts';
import { usePixIsOver } from '@comanda/ui/bill/use-pix-is-over.ts';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { Money } from '@comanda/ui/money.tsx';
import '../account/account.css';
import '../account/consent.css';
import { useHeadingFocus } from '../account/use-heading-focus.ts';
import { useGuest, useRouter } from '../contexts.ts';
import { BillNotLiveNotice } from '../not-live-notice.tsx';
import type { Bills } from './bills.ts';
import { CancelPix } from './cancel-pix.tsx';
import './pin-payment.css';
import { PixCodeView } from './pix-code-view.tsx';
import { PixCodeOver, PixEnded, PixPaid } from './pix-ended.tsx';
import { PixLayout, PixStatus, PixTerms, type PixTermsProps } from './pix-layout.tsx';
import { pixMessages } from './pix-messages.ts';
import { payMessages } from './messages.ts';
import './pix-page.css';

type PixPageProps = {
  bills: Bills;
  /** The payment whose code is shown; undefined for this guest's own. */ id?: number | undefined;
};

/**
 * Shows a Pix code until it is paid or ends: this guest's, or that of another guest at the table, which looks the same on every
 * phone.
 */
export function PixPage({ bills, id }: PixPageProps) {
  const { pix } = bills;
  const { replace } = useRouter();
  const isOwn = id === undefined;
  const isNothing = isOwn && pix.own.value === null;
  useEffect(() => {
    if (isOwn) pix.open();
  }, [pix, isOwn]);
  useEffect(() => {
    if (isNothing) replace({ page: 'pay' });
  }, [isNothing, replace]);
  const payment = pix.paymentOf(id);
  useHeadingFocus(payment ? payment.status : pix.step.value.kind);
  if (isNothing) return null;
  if (payment === null) return isOwn ? <BeforePayment bills={bills} /> : <Unknown bills={bills} />;
  const bill = bills.current.value?.id === payment.bill_id ? bills.current.value : null;
  const props = { bills, payment, bill, currency: bill?.currency ?? pix.own.value?.plan.currency ?? 'BRL' };
  if (payment.status === 'reserved') return <Reserved key={payment.id} {...props} />;
  return payment.status === 'paid' ? <PixPaid {...props} /> : <PixEnded {...props} />;
}

/** What happens until the part is reserved. */
function BeforePayment({ bills: { pix } }: { bills: Bills }) {
  const words = pixMessages();
  const { replace } = useRouter();
  const step = pix.step.value;
  const currency = pix.own.value?.plan.currency ?? 'BRL';
  const other = <Button onClick={() => replace({ page: 'pay' })}>{payMessages().paying.otherWay}</Button>;
  if (step.kind === 'reserving')
    return (
      <PixLayout title={words.title}>
        <PixStatus class="dim pix-quiet">{words.reserving}</PixStatus>
      </PixLayout>
    );
  if (step.kind === 'not_reserved')
    return (
      <PixLayout
        title={words.refusedTitle}
        dock={
          <>
            {step.failure.isUndecided && (
              <Button kind="primary" size="large" onClick={() => void pix.reserve()}>
                {words.tryAgain}
              </Button>
            )}
            {other}
          </>
        }
      >
        <ErrorPanel words={billFailureWords(step.failure)} />
      </PixLayout>
    );
  return (
    <PixLayout
      title={payMessages().paying.changedTitle}
      dock={
        <>
          <Button kind="primary" size="large" onClick={pix.acceptPrice}>
            {payMessages().paying.goOn(formatMoney(step.now, currency))}
          </Button>
          {other}
        </>
      }
    >
      <p>{words.changedText}</p>
      <dl class="pin-payment-amounts">
        {(['before', 'now'] as const).map((when) => (
          <div key={when}>
            <dt>{payMessages().paying[when]}</dt>
            <Money as="dd">{formatMoney(step[when], currency)}</Money>
          </div>
        ))}
      </dl>
    </PixLayout>
  );
}

/** Shown for a payment that this phone doesn't know: its bill isn't loaded, or it is over. */
function Unknown({ bills }: { bills: Bills }) {
  const words = pixMessages();
  const { replace } = useRouter();
  if (bills.isBeingRead.value)
    return (
      <PixLayout title={words.title}>
        <BillNotLiveNotice bills={bills} />
        <PixStatus class="dim pix-quiet">{words.loading}</PixStatus>
      </PixLayout>
    );
  return (
    <PixLayout
      title={words.unknownTitle}
      dock={
        <Button kind="primary" size="large" onClick={() => replace({ page: 'bill' })}>
          {payMessages().paying.done}
        </Button>
      }
    >
      <p>{words.unknownText}</p>
    </PixLayout>
  );
}

type ReservedProps = PixTermsProps & { bills: Bills };

/** A payment whose part is reserved: its code, or why there is none yet. */
function Reserved({ bills, payment, ...props }: ReservedProps) {
  const words = pixMessages();
  const { pix } = bills;
  const { replace } = useRouter();
  const { client, seat } = useGuest();
  const { id, payer } = payment;
  const isOwn = payer !== null && seat.isOwn(payer.id);
  const leave = (): void => replace({ page: 'pay' });
  // Another phone may have had the code before, so even without one, a payment isn't cancelled without a question.
  const cancel = <CancelPix pix={pix} payment={payment} label={payMessages().paying.otherWay} onCancelled={leave} />;
  const code = pix.codeOf(id);
  const isReady = code.kind === 'ready';
  const { currency } = props;
  const isOver = usePixIsOver(client, payment, isReady ? code.charge : null);
  useEffect(
    () => (isReady || isOver ? undefined : pix.followCode(payment, currency)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another version of the same payment has the same code
    [pix, id, isReady, isOver, currency],
  );
  if (isOver) return <PixCodeOver bills={bills} payment={payment} {...props} />;
  if (code.kind === 'ready')
    return (
      <PixCodeView {...props} bills={bills} payment={payment} charge={code.charge}>
        {isOwn && cancel}
      </PixCodeView>
    );
  if (code.kind === 'loading')
    return (
      <PixLayout title={words.title} isTitleSpoken>
        <PixTerms payment={payment} {...props} />
        <PixStatus class="dim pix-quiet pix-busy">{words.loading}</PixStatus>
      </PixLayout>
    );
  const isLate = code.kind === 'late';
  return (
    <PixLayout
      title={isLate ? words.lateTitle : words.refusedTitle}
      dock={
        isOwn ? (
          cancel
        ) : (
          <Button size="large" onClick={leave}>
            {payMessages().paying.otherWay}
          </Button>
        )
      }
    >
      <PixTerms payment={payment} {...props} />
      <BillNotLiveNotice bills={bills} />
      {isLate ? (
        <PixStatus class="dim pix-quiet">{words.lateText}</PixStatus>
      ) : (
        <ErrorPanel words={billFailureWords(code.failure)} />
      )}
    </PixLayout>
  );
}
