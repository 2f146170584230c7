import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { formatTime } from '@comanda/ui/format.ts';
import type { PinHint } from '@comanda/ui/pin-call.ts';
import { pinPadMessages } from '@comanda/ui/pin-pad-messages.ts';
import { pinLength, PinPad } from '@comanda/ui/pin-pad.tsx';
import { AccountHead } from '../account/account-head.tsx';
import '../account/consent.css';
import { PadError } from '../account/pad-error.tsx';
import { useRouter } from '../contexts.ts';
import { pinMessages } from './pin-messages.ts';
import { BackToPart, PaymentStatus, PaymentTerms, type StepProps } from './pin-payment-layout.tsx';
import './pin-payment.css';
import type { Stage } from './pin-payment-state.ts';
import { payMessages } from './messages.ts';

function HintText({ hint }: { hint: PinHint }) {
  const words = pinMessages();
  if (hint.kind === 'wrong') return <PadError title={pinPadMessages().wrong(hint.left)} text={words.nothingTaken} />;
  return <PadError title={words.nothingTaken} text={`${words.notTaken} ${words.pinAgain}`} />;
}

/**
 * Shows the amount, the payee and the table above the PIN pad. The sixth digit sends the payment, without another confirmation.
 */
export function PadPage({ pinPayment, kept, restaurant, hint }: StepProps & { hint: PinHint | null }) {
  const words = pinMessages();
  const [digits, setDigits] = useState('');
  const expiresAt = kept.payment?.expires_at ?? null;
  const enter = (typed: string): void => {
    setDigits(typed.length < pinLength ? typed : '');
    if (typed.length === pinLength) pinPayment.enter(typed);
  };
  return (
    <div class="page consent pin-payment">
      <BackToPart />
      <main class="page-main">
        <h1 class="visually-hidden" tabIndex={-1}>
          {words.title}
        </h1>
        <div>
          <PaymentTerms kept={kept} restaurant={restaurant} />
          {expiresAt !== null && <PaymentStatus>{words.reservedUntil(formatTime(expiresAt))}</PaymentStatus>}
        </div>
        {hint !== null && <HintText hint={hint} />}
        <PinPad digits={digits} onDigits={enter} />
      </main>
    </div>
  );
}

type AskingPageProps = StepProps & { stage: Extract<Stage, { kind: 'asking' }> };

/** Shown while the PIN is being sent. The page must look neither like a success nor like a failure. */
export function AskingPage({ pinPayment, kept, restaurant, stage: { isLate, isClaimed } }: AskingPageProps) {
  const words = pinMessages();
  const { replace } = useRouter();
  const isKnown = isClaimed || isLate;
  return (
    <div class="page pin-payment">
      <AccountHead back={payMessages().toBill} onBack={() => replace({ page: 'bill' })} />
      <main class="stack gap-4 page-main pin-payment-asking">
        <h1 class="visually-hidden" tabIndex={-1}>
          {words.title}
        </h1>
        <PaymentTerms kept={kept} restaurant={restaurant} />
        <PaymentStatus class={isKnown ? 'edge on-amber pin-payment-wait' : 'pin-payment-busy'}>
          {isClaimed ? words.claimed : isLate ? words.late : words.asking}
        </PaymentStatus>
        {isKnown && <p class="dim account-quiet">{isClaimed ? words.claimedHint : words.lateHint}</p>}
      </main>
      {isLate && (
        <footer class="dock">
          <Button size="large" onClick={pinPayment.askNow}>
            {words.askNow}
          </Button>
        </footer>
      )}
    </div>
  );
}
