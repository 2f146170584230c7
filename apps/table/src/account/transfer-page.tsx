import type { TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { formatMoney, formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { pinLength, PinPad, pinPadMessages } from '@comanda/ui/pin-pad.tsx';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { messages } from '../messages.ts';
import { backToMenu, goBack, navigate } from '../state/route.ts';
import { AccountHead } from './account-head.tsx';
import { account, knownOwner } from './accounts.ts';
import type { Account } from './accounts.ts';
import { isMoreThan } from './amount.ts';
import { BlockedPage } from './blocked.tsx';
import { accountMessages } from './messages.ts';
import { PadError } from './pad-error.tsx';
import { pinState, pinTask } from './pin.ts';
import { partsOf, TransferNotices } from './transfer-notices.tsx';
import {
  agree,
  askNow,
  asked,
  changeTransfer,
  consentRequest,
  draft,
  intent,
  refusal,
  reviewTransfer,
  stage,
} from './transfer.ts';
import type { Intent } from './transfer.ts';
import './transfer-page.css';
import { useHeadingFocus } from './use-heading-focus.ts';

const toAccounts = (): void => goBack({ page: 'account' });

type Faults = { to?: string; amount?: string };
function faultsOf(from: Account): Faults {
  const words = accountMessages();
  const { to, amount } = draft.value;
  const read = readAmount(amount);
  const isNumber = /^[1-9][0-9]{0,14}$/.test(to.trim());
  return {
    ...(!isNumber && { to: words.payeeWrong }),
    ...(isNumber && Number(to) === from.id && { to: words.payeeOwn }),
    ...(read === null && { amount: words.amountWrong }),
    ...(read !== null &&
      isMoreThan(read, from.balance) && { amount: words.amountTooHigh(formatMoney(from.balance, from.currency)) }),
  };
}

function TransferForm({ from }: { from: Account }) {
  const words = accountMessages();
  const [faults, setFaults] = useState<Faults>({});
  const refused = refusal.value;
  const isBusy = stage.value !== 'form';
  const set = (change: Partial<typeof draft.value>): void => {
    draft.value = { ...draft.value, ...change };
    setFaults({});
    refusal.value = null;
  };
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isBusy) return;
    const found = faultsOf(from);
    setFaults(found);
    const first = found.to === undefined ? (found.amount === undefined ? null : 'amount') : 'to';
    if (first !== null) return event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    const description = draft.value.description.trim();
    void reviewTransfer({
      from_account_id: from.id,
      to_account_id: Number(draft.value.to),
      amount: readAmount(draft.value.amount) ?? '',
      currency: from.currency,
      ...(description !== '' && { description }),
    });
  };
  const payee = knownOwner(Number(draft.value.to));
  const errorOf = (field: 'to' | 'amount'): string | undefined =>
    faults[field] ?? (refused?.field === field ? `${refused.words.happened} ${refused.words.toDo}` : undefined);
  return (
    <form class="transfer-form" aria-label={words.transferTitle} noValidate onSubmit={submit}>
      <main class="page-main account-main">
        <div class="page-title">
          <h1 tabIndex={-1}>{words.transferTitle}</h1>
          <p>
            {words.account(from.id)}: {words.available(formatMoney(from.balance, from.currency))}
          </p>
        </div>
        <TransferNotices />
        {refused !== null && refused.field === undefined && <ErrorPanel words={refused.words} />}
        <Field
          name="to"
          label={words.payee}
          hint={payee === null ? words.payeeHint : words.payeeKnown(payee)}
          error={errorOf('to')}
          inputMode="numeric"
          autocomplete="off"
          required
          value={draft.value.to}
          onInput={(to) => set({ to })}
        />
        <Field
          name="amount"
          label={`${words.amount} (${from.currency})`}
          hint={words.amountHint}
          error={errorOf('amount')}
          inputMode="decimal"
          autocomplete="off"
          required
          value={draft.value.amount}
          onInput={(amount) => set({ amount })}
        />
        <Field
          name="description"
          label={words.description}
          hint={words.descriptionHint}
          autocomplete="off"
          maxLength={140}
          value={draft.value.description}
          onInput={(description) => set({ description })}
        />
      </main>
      <footer class="dock">
        <p class="account-quiet">{words.reviewHint}</p>
        <Button type="submit" kind="primary" size="large" aria-disabled={isBusy}>
          {isBusy ? words.checking : words.review}
        </Button>
      </footer>
    </form>
  );
}

/** Amount and payee in the same glance as the dots. */
function Terms({ mine, isSmall }: { mine: Intent; isSmall?: boolean }) {
  const words = accountMessages();
  const [amount, to] = partsOf(mine);
  const owner = knownOwner(to);
  return (
    <div class={isSmall ? 'terms terms-small' : 'terms'}>
      <p class="terms-quiet">{words.youSend}</p>
      <p class="terms-amount money">{amount}</p>
      <p class="terms-payee">
        {words.to} <strong>{words.accountLower(to)}</strong>
        {owner !== null && <span class="terms-owner"> · {owner}</span>}
      </p>
      <p class="terms-quiet">{mine.input.description ?? words.fromLower(mine.input.from_account_id)}</p>
    </div>
  );
}

function ConsentError() {
  const words = accountMessages();
  const request = consentRequest.value?.request;
  const left = request?.refused?.problem?.['attempts_remaining'];
  const { code } = request?.challenge ?? { code: 'step_up_required' };
  const why = words.consentRefused;
  const title =
    typeof left === 'number'
      ? pinPadMessages().wrong(left)
      : code === 'step_up_required'
        ? null
        : code in why
          ? why[code as keyof typeof why]
          : why.other;
  if (title === null) return null;
  return <PadError title={title} text={typeof left === 'number' ? words.nothingSent : words.enterAgain} />;
}

function Consent({ mine }: { mine: Intent }) {
  const words = accountMessages();
  const [digits, setDigits] = useState('');
  const isFull = digits.length === pinLength;
  const isBusy = stage.value === 'sending';
  const confirm = (): void => {
    if (!isFull || isBusy) return;
    agree(digits);
    setDigits('');
  };
  return (
    <div class="page consent">
      <AccountHead back={words.changeTransfer} onBack={changeTransfer} />
      <main class="page-main">
        <h1 class="spoken" tabIndex={-1}>
          {words.confirmTitle}
        </h1>
        <Terms mine={mine} />
        {isBusy ? (
          <p class="consent-busy" role="status">
            {words.sending}
          </p>
        ) : (
          <ConsentError />
        )}
        <PinPad digits={digits} onDigits={setDigits} onEnter={confirm} isBusy={isBusy} />
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" aria-disabled={!isFull || isBusy} onClick={confirm}>
          {isBusy ? words.sending : words.confirm}
        </Button>
      </footer>
    </div>
  );
}

/** There was no answer. It must be taken neither for a success nor for a failure. */
function Asking({ mine }: { mine: Intent }) {
  const words = accountMessages();
  const { count, at } = asked.value;
  return (
    <div class="page asking">
      <main>
        <div class="asking-head" role="alert">
          <span class="asking-icon">
            <Icon name="clock" size={32} />
          </span>
          <h1 tabIndex={-1}>{words.noAnswerTitle}</h1>
          <p>{words.noAnswerText}</p>
        </div>
        <p class="asking-try">
          <Icon name="noNetwork" />
          {words.askedAt(count, formatTimeWithSeconds(at))}
        </p>
        <div class="asking-body">
          <p class="account-quiet">{words.noAnswerHint}</p>
          <Terms mine={mine} isSmall />
        </div>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={askNow}>
          {words.askNow}
        </Button>
        <Button onClick={toAccounts}>{words.toAccounts}</Button>
      </footer>
    </div>
  );
}

function NeedPin() {
  const words = accountMessages();
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={toAccounts} />
      <main class="page-main account-main">
        <span class="account-symbol">
          <Icon name="shield" size={32} />
        </span>
        <h1 class="account-h1" tabIndex={-1}>
          {words.needPinTitle}
        </h1>
        <p>{words.needPinText}</p>
      </main>
      <footer class="dock">
        <Button
          kind="primary"
          size="large"
          onClick={() => {
            pinTask.value = 'create';
            navigate({ page: 'account', part: 'pin' });
          }}
        >
          {words.choosePin}
        </Button>
      </footer>
    </div>
  );
}

/** A transfer from the form to its answer. */
export function TransferPage() {
  const words = accountMessages();
  const from = account.value;
  const mine = intent.value;
  const pin = pinState.value;
  const at = stage.value;
  const isAsked = at === 'consent' || at === 'sending';
  const view = at === 'asking' ? at : isAsked ? 'consent' : (pin?.status ?? 'usable');
  useHeadingFocus(view);
  // Whoever leaves the page does not agree.
  useEffect(() => changeTransfer, []);
  if (mine && at === 'asking') return <Asking mine={mine} />;
  if (mine && isAsked) return <Consent mine={mine} />;
  if (pin?.status === 'absent') return <NeedPin />;
  if (pin?.status === 'blocked')
    return <BlockedPage until={pin.blocked_until ?? null} back={messages().account} onBack={toAccounts} />;
  return (
    <div class="page">
      <AccountHead back={messages().account} onBack={from ? toAccounts : backToMenu} />
      {from ? (
        <TransferForm from={from} />
      ) : (
        <main class="page-main">
          <h1 class="spoken" tabIndex={-1}>
            {words.transferTitle}
          </h1>
          <p class="account-quiet">{words.reading}</p>
        </main>
      )}
    </div>
  );
}
