import type { Client } from '@comanda/client';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { PinPad, pinLength, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import './consent-dialog.css';
import type { ConsentStep, Details, ManagerConsent, Purpose } from './consent.ts';
import { CreatePin } from './create-pin.tsx';
import { managerMessages } from './messages.ts';

/** Asks for the PIN when a call needs it. */
export function ConsentDialog({ client, consent }: { client: Client; consent: ManagerConsent }) {
  const words = managerMessages().consent;
  const step = consent.step.value;
  return (
    <Dialog
      title={step.kind === 'create' ? words.createTitle : words.title}
      isOpen={step.kind !== 'closed'}
      onClose={consent.close}
    >
      <div class="consent">
        <PurposeText of={consent.purpose.value} details={consent.details.value} />
        {step.kind === 'create' ? <CreatePin client={client} step={step} /> : <EnterPin step={step} />}
      </div>
    </Dialog>
  );
}

/**
 * Amount and payee of a deposit, or the price of a dish, are in the same glance as the dots. They are read from the details
 * that the token will be for, so that it cannot be for anything else.
 */
function PurposeText({ of: purpose, details }: { of: Purpose; details: Details | null }) {
  const words = managerMessages().deposits;
  if (typeof purpose === 'function') return <p>{purpose()}</p>;
  if (!details) return null;
  if (purpose.kind === 'dish') return <DishTerms name={purpose.name} currency={purpose.currency} details={details} />;
  const { account_id: account, amount, currency } = details;
  return (
    <div class="consent-terms">
      <p>{words.youDeposit}</p>
      <p class="manager-amount money" translate={false}>
        {formatMoney(String(amount), String(currency))}
      </p>
      <p>
        {words.into} <strong>{words.accountOf(Number(account))}</strong>, {purpose.owner}
      </p>
    </div>
  );
}

type DishTermsProps = { name: string | null; currency: string; details: Details };
/** What a dish is called and costs from now on. */
function DishTerms({ name: before, currency, details }: DishTermsProps) {
  const words = managerMessages().dish;
  const { name, price, sets_translated_names: setsTranslatedNames } = details;
  return (
    <div class="consent-terms">
      <p>{before === null ? words.youAdd : words.youSet(before)}</p>
      {typeof name === 'string' && (
        <p>
          {words.name}: <strong>{name}</strong>
        </p>
      )}
      {setsTranslatedNames === true && <p>{words.translatedNames}</p>}
      {typeof price === 'string' && (
        <p class="manager-amount money" translate={false}>
          {formatMoney(price, currency)}
        </p>
      )}
    </div>
  );
}

function EnterPin({ step }: { step: ConsentStep }) {
  const words = managerMessages().consent;
  const [digits, setDigits] = useState('');
  const isAsking = step.kind === 'pin';
  const confirm = (): void => {
    if (!isAsking || digits.length < pinLength) return;
    setDigits('');
    step.answer({ transaction_password: digits });
  };
  return (
    <>
      {isAsking && step.triesLeft !== null && (
        <ErrorPanel words={{ happened: pinPadMessages().wrong(step.triesLeft), toDo: words.nothingChanged }} />
      )}
      <PinPad digits={digits} onDigits={setDigits} onEnter={confirm} isBusy={!isAsking} />
      <Button kind="primary" size="large" aria-disabled={!isAsking || digits.length < pinLength} onClick={confirm}>
        {isAsking ? words.confirm : words.checking}
      </Button>
    </>
  );
}
