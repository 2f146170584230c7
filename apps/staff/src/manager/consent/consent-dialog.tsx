import { CallFailure, type Client } from '@comanda/client/core';
import { pricings, type Pricing } from '@comanda/contracts/weight';
import { priceMethods } from '@comanda/contracts/price-methods';
import { isWeakPin } from '@comanda/contracts/weak-pin';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ChoosePin, type EnteredPin, type PinFault, type PinStep } from '@comanda/ui/choose-pin.tsx';
import { Dialog } from '@comanda/ui/dialog.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import type { PinCall, PinDetails } from '@comanda/ui/pin-call.ts';
import { pinPadMessages } from '@comanda/ui/pin-pad-messages.ts';
import { PinPad, pinLength } from '@comanda/ui/pin-pad.tsx';
import { Money } from '@comanda/ui/money.tsx';
import './consent-dialog.css';
import type { ManagerConsent, Purpose } from './consent.ts';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';

/** The dialog that asks for the PIN when a call needs it. */
export function ConsentDialog({ client, consent }: { client: Client; consent: ManagerConsent }) {
  const words = managerMessages().consent;
  const asked = consent.asked.value;
  const isNew = consent.isNew.value && asked?.call.stage.value.kind === 'pin';
  return (
    <Dialog title={isNew ? words.createTitle : words.title} isOpen={asked !== null} onClose={consent.leave}>
      {asked && (
        <div class="stack gap-4 consent">
          <PurposeText of={asked.purpose} details={asked.call.details} />
          {isNew ? <CreatePin client={client} consent={consent} /> : <EnterPin call={asked.call} />}
        </div>
      )}
    </Dialog>
  );
}

/**
 * Shows a deposit's amount and payee, or a dish's new price, near the PIN pad. They come from the authorization details, so the
 * token is valid only for what the manager sees.
 */
function PurposeText({ of: purpose, details }: { of: Purpose; details: PinDetails | null }) {
  const words = managerMessages().deposits;
  if (typeof purpose === 'function') return <p>{purpose()}</p>;
  if (!details) return null;
  if (purpose.kind !== 'deposit') {
    const Terms = purpose.kind === 'dish' ? DishTerms : GroupTerms;
    return <Terms name={purpose.name} currency={purpose.currency} details={details} />;
  }
  const { account_id: account, amount, currency } = details;
  return (
    <div class="consent-terms">
      <p>{words.youDeposit}</p>
      <Money as="p" class="manager-amount">
        {formatMoney(String(amount), String(currency))}
      </Money>
      <p>
        {words.into} <strong>{words.accountOf(Number(account))}</strong>, {purpose.owner}
      </p>
    </div>
  );
}

type DishTermsProps = { name: string | null; currency: string; details: PinDetails };
/** Shows the dish's new name and price, and whether its options change. */
function DishTerms({ name: before, currency, details }: DishTermsProps) {
  const words = managerMessages().dish;
  const { name, price, pricing, sets_translated_names: setsTranslatedNames, sets_option_groups: setsGroups } = details;
  return (
    <div class="consent-terms">
      <p>{before === null ? words.youAdd : words.youSet(before)}</p>
      {typeof name === 'string' && (
        <p>
          {words.name}: <strong>{name}</strong>
        </p>
      )}
      {setsTranslatedNames === true && <p>{words.translatedNames}</p>}
      {setsGroups === true && <p>{words.groupsChange}</p>}
      {isPricing(pricing) && <p>{words.pricings[pricing]}</p>}
      {typeof price === 'string' && (
        <Money as="p" class="manager-amount">
          {formatMoney(price, currency)}
        </Money>
      )}
    </div>
  );
}
const isPricing = (value: unknown): value is Pricing => pricings.some((each) => each === value);

/** Shows an option group's new name, how its options are priced, and whether they change. */
function GroupTerms({ name: before, details }: DishTermsProps) {
  const words = managerMessages().dish;
  const { name, free, price_method: method, sets_options: setsOptions } = details;
  const known = priceMethods.find((each) => each === method);
  return (
    <div class="consent-terms">
      <p>{before === null ? words.groupTerms.youAdd : words.youSet(before)}</p>
      {typeof name === 'string' && (
        <p>
          {words.name}: <strong>{name}</strong>
        </p>
      )}
      {details['sets_translated_names'] === true && <p>{words.translatedNames}</p>}
      {known && <p>{words.groupTerms.methods[known]}</p>}
      {typeof free === 'number' && <p>{words.groupTerms.free(free)}</p>}
      {setsOptions === true && <p>{words.groupTerms.options}</p>}
    </div>
  );
}

function EnterPin({ call }: { call: PinCall<unknown> }) {
  const words = managerMessages().consent;
  const [digits, setDigits] = useState('');
  const at = call.stage.value;
  const isAsking = at.kind === 'pin';
  const confirm = (): void => {
    if (!isAsking || digits.length < pinLength) return;
    setDigits('');
    call.enter(digits);
  };
  return (
    <>
      {isAsking && at.hint?.kind === 'wrong' && (
        <ErrorPanel words={{ happened: pinPadMessages().wrong(at.hint.left), toDo: words.nothingChanged }} />
      )}
      <PinPad digits={digits} onDigits={setDigits} onEnter={confirm} isBusy={!isAsking} />
      <Button kind="primary" size="large" aria-disabled={!isAsking || digits.length < pinLength} onClick={confirm}>
        {isAsking ? words.confirm : words.checking}
      </Button>
    </>
  );
}

/** Asks for a new PIN, and for the password if the last sign-in is too old. The waiting call then continues with the new PIN. */
function CreatePin({ client, consent }: { client: Client; consent: ManagerConsent }) {
  const words = managerMessages().consent;
  async function set({ pin, password }: EnteredPin): Promise<void | 'needs password'> {
    try {
      if (password !== '') await client.signIn({ email: (await client.calls.me()).email ?? '', password });
      await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
    } catch (error) {
      if (error instanceof CallFailure && error.is('reauthentication_required')) return 'needs password';
      throw error;
    }
    consent.enterNew(pin);
  }
  const labels = { password: words.password, current: '', new: words.newPin, repeat: words.repeatPin };
  const buttonOf = (step: PinStep): string => (step === 'repeat' ? words.create : words.goOn);
  return (
    <ChoosePin
      class="stack gap-4 consent"
      steps={['new', 'repeat']}
      isWeak={isWeakPin}
      labelOf={(step) => labels[step]}
      buttonOf={buttonOf}
      set={set}
    >
      {({ step, fault, control, button }) => (
        <>
          <p>{step === 'password' ? words.signInAgain : words.createWhy}</p>
          <Fault of={fault} />
          {control}
          {button}
        </>
      )}
    </ChoosePin>
  );
}

function Fault({ of: fault }: { of: PinFault }) {
  const words = managerMessages().consent;
  if (fault === null) return null;
  if (typeof fault === 'object') return <Failure of={fault.error} />;
  return <ErrorPanel words={{ happened: words[fault], toDo: words[`${fault}ToDo`] }} />;
}
