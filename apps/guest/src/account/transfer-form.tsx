import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { useGuest } from '../contexts.ts';
import { StopNotice } from '../stop-notice.tsx';
import { useAccount } from './account-context.ts';
import type { Account } from './accounts.ts';
import { isMoreThan } from './amount.ts';
import { accountFailureWords } from './failures.ts';
import { accountMessages } from './messages.ts';
import './transfer-form.css';
import { TransferNotices } from './transfer-notices.tsx';

type Draft = { to: string; amount: string; description: string };
/** The fields' errors, as message keys instead of texts, because the language may change while they are shown. */
type Faults = { to?: 'payeeWrong' | 'payeeOwn'; amount?: 'amountWrong' | 'amountTooHigh' };
function faultsOf({ to, amount }: Draft, from: Account): Faults {
  const read = readAmount(amount);
  const isNumber = /^[1-9][0-9]{0,14}$/.test(to.trim());
  return {
    ...(!isNumber && { to: 'payeeWrong' }),
    ...(isNumber && Number(to) === from.id && { to: 'payeeOwn' }),
    ...(read === null && { amount: 'amountWrong' }),
    ...(read !== null && isMoreThan(read, from.balance) && { amount: 'amountTooHigh' }),
  };
}

type FieldsProps = {
  draft: Draft;
  currency: string;
  errorOf: (field: 'to' | 'amount') => string | undefined;
  onChange: (change: Partial<Draft>) => void;
};
function Fields({ draft, currency, errorOf, onChange }: FieldsProps) {
  const words = accountMessages();
  const payee = useAccount().accounts.knownOwner(Number(draft.to));
  return (
    <>
      <Field
        name="to"
        label={words.payee}
        hint={payee === null ? words.payeeHint : words.payeeKnown(payee)}
        error={errorOf('to')}
        inputMode="numeric"
        autocomplete="off"
        required
        value={draft.to}
        onInput={(to) => onChange({ to })}
      />
      <Field
        name="amount"
        label={`${words.amount} (${currency})`}
        hint={words.amountHint}
        error={errorOf('amount')}
        inputMode="decimal"
        autocomplete="off"
        required
        value={draft.amount}
        onInput={(amount) => onChange({ amount })}
      />
      <Field
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        autocomplete="off"
        maxLength={140}
        value={draft.description}
        onInput={(description) => onChange({ description })}
      />
    </>
  );
}

/** The form for a transfer: the payee, the amount and a description. */
export function TransferForm({ from }: { from: Account }) {
  const words = accountMessages();
  const { draft, changeDraft, refusal, stage, review } = useAccount().transfers;
  const isStopped = useGuest().stops.state.value.transfers !== null;
  const [faults, setFaults] = useState<Faults>({});
  const refused = refusal.value;
  const whyRefused = refused && accountFailureWords(refused.failure);
  const isBusy = stage.value.kind !== 'form';
  const change = (part: Partial<Draft>): void => {
    changeDraft(part);
    setFaults({});
  };
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBusy) return;
    const typed = draft.value;
    const found = faultsOf(typed, from);
    setFaults(found);
    const first = found.to === undefined ? (found.amount === undefined ? null : 'amount') : 'to';
    if (first !== null) return event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    const description = typed.description.trim();
    void review({
      from_account_id: from.id,
      to_account_id: Number(typed.to),
      amount: readAmount(typed.amount) ?? '',
      currency: from.currency,
      ...(description !== '' && { description }),
    });
  };
  const faultText = (fault: Faults['to'] | Faults['amount']): string | undefined =>
    fault === 'amountTooHigh' ? words[fault](formatMoney(from.balance, from.currency)) : fault && words[fault];
  const errorOf = (field: 'to' | 'amount'): string | undefined =>
    faultText(faults[field]) ??
    (whyRefused && refused?.field === field ? `${whyRefused.happened} ${whyRefused.toDo}` : undefined);
  return (
    <form class="column transfer-form" aria-label={words.transferTitle} noValidate onSubmit={submit}>
      <main class="page-main account-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{words.transferTitle}</h1>
          <p>
            {words.account(from.id)}: {words.available(formatMoney(from.balance, from.currency))}
          </p>
        </div>
        <StopNotice of="transfers" />
        <TransferNotices />
        {whyRefused && refused?.field === undefined && <ErrorPanel words={whyRefused} />}
        <Fields draft={draft.value} currency={from.currency} errorOf={errorOf} onChange={change} />
      </main>
      <footer class="dock">
        <p class="dim account-quiet">{words.reviewHint}</p>
        <Button type="submit" kind="primary" size="large" disabled={isStopped} aria-disabled={isBusy}>
          {isBusy ? words.checking : words.review}
        </Button>
      </footer>
    </form>
  );
}
