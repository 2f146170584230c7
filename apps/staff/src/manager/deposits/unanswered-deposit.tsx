import type { Client } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import type { ManagerConsent } from '../consent/consent.ts';
import { deposit, type Account, type PendingDeposit, type Posted } from './deposit.ts';
import { Failure } from '../failure.tsx';
import { managerMessages } from '../messages.ts';

type UnansweredProps = {
  client: Client;
  consent: ManagerConsent;
  pending: PendingDeposit;
  onPosted: (posted: Posted) => void;
  /** Called once the server has responded, or the repeated call has failed too. */
  onRead: () => void;
};

/**
 * Shows a deposit that got no response, so it may or may not have been made. The button repeats the call with the same
 * idempotency key.
 */
export function UnansweredDeposit({ client, consent, pending, onPosted, onRead }: UnansweredProps) {
  const words = managerMessages().deposits;
  const { input } = pending;
  const { failure, run, isBusy } = useAction();
  const [account, setAccount] = useState<Account | null>(null);
  const ask = (): void =>
    void run(async () => {
      const found = account ?? (await client.calls.getAccount({ id: input.id }));
      setAccount(found);
      try {
        onPosted(await deposit(consent, found, pending));
      } finally {
        onRead();
      }
    });
  return (
    <section class="manager-ask" aria-label={words.noAnswer}>
      <div role="alert">
        <h2 class="manager-subtitle">{words.noAnswer}</h2>
        <p>{words.noAnswerTerms(account ? formatMoney(input.amount, account.currency) : input.amount, input.id)}</p>
      </div>
      <p>{words.noAnswerHint}</p>
      <Failure of={failure} />
      <Button kind="primary" size="small" aria-disabled={isBusy} onClick={ask}>
        {isBusy ? managerMessages().reading : words.askAgain}
      </Button>
    </section>
  );
}
