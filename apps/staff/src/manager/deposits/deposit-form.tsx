import type { Client } from '@comanda/client/core';
import { useRef, useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { Field } from '@comanda/ui/field.tsx';
import { readAmount } from '@comanda/ui/read-amount.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { Form } from '@comanda/ui/form.tsx';
import type { ManagerConsent } from '../consent/consent.ts';
import './deposit-form.css';
import { deposit, type Account, type Posted } from './deposit.ts';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';

type DepositFormProps = {
  client: Client;
  consent: ManagerConsent;
  account: Account;
  onBack: () => void;
  onPosted: (posted: Posted) => void;
  /** Called when the deposit failed or got no response, so the money may have moved. */
  onUndecided: () => void;
};

/** The form for a deposit: the amount, then the PIN. */
export function DepositForm({ client, consent, account, onBack, onPosted, onUndecided }: DepositFormProps) {
  const words = managerMessages().deposits;
  const { failure, run, isBusy } = useAction();
  const [amount, setAmount] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  // The same amount keeps its key, so that pressing the button again after a failure can't make a second deposit.
  const meantRef = useRef({ amount: '', key: '' });
  function review(): void {
    const read = readAmount(amount);
    setIsInvalid(read === null);
    if (read === null) return;
    if (meantRef.current.amount !== read) meantRef.current = { amount: read, key: client.newKey() };
    const { key } = meantRef.current;
    void run(async () => {
      try {
        const { id, currency } = account;
        onPosted(await deposit(consent, account, { input: { id, amount: read, currency }, key }));
      } catch (error) {
        onUndecided();
        throw error;
      }
    });
  }
  return (
    <Form class="manager-form" label={words.account(account.id)} noValidate onSubmit={review}>
      <Whose account={account} />
      <Field
        label={words.amount(account.currency)}
        hint={words.amountHint}
        error={isInvalid ? words.amountWrong : undefined}
        inputMode="decimal"
        autocomplete="off"
        required
        value={amount}
        onInput={(text) => {
          setAmount(text);
          setIsInvalid(false);
        }}
      />
      <Failure of={failure} />
      <div class="manager-pair">
        <Button size="small" aria-disabled={isBusy} onClick={onBack}>
          {words.otherAccount}
        </Button>
        <Button type="submit" kind="primary" size="small" aria-disabled={isBusy}>
          {words.review}
        </Button>
      </div>
    </Form>
  );
}

function Whose({ account: { id, owner_name: owner, name } }: { account: Account }) {
  const words = managerMessages().deposits;
  return (
    <div class="deposit-whose">
      <p class="manager-subtitle">{owner}</p>
      <p class="dim">{[words.account(id), name].filter(Boolean).join(' · ')}</p>
    </div>
  );
}
