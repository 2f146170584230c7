import type { Client } from '@comanda/client/core';
import { useState } from 'preact/hooks';
import { stopMessages } from '@comanda/ui/stop-messages.ts';
import type { Account, PendingDeposit, Posted } from './deposit.ts';
import { DepositForm } from './deposit-form.tsx';
import { DepositReceipt } from './deposit-receipt.tsx';
import { FindAccount } from './find-account.tsx';
import { GoingOn } from '../day/going-on.tsx';
import type { ManagerSession } from '../manager-session.ts';
import { managerMessages } from '../messages.ts';
import { UnansweredDeposit } from './unanswered-deposit.tsx';

/** The page for depositing cash: it asks for the account, the amount and the PIN, and shows the receipt. */
export function DepositsPage({ client, session: { consent, stops } }: { client: Client; session: ManagerSession }) {
  const words = managerMessages().deposits;
  const [account, setAccount] = useState<Account | null>(null);
  const [posted, setPosted] = useState<Posted | null>(null);
  const [pending, setPending] = useState(() => pendingDeposits(client));
  const [first] = pending;
  const onPosted = (done: Posted): void => {
    setPosted(done);
    setAccount(null);
    setPending(pendingDeposits(client));
  };
  const onUndecided = (): void => setPending(pendingDeposits(client));
  return (
    <div class="manager-narrow">
      <div class="manager-head">
        <h1>{managerMessages().nav.deposits}</h1>
        <p>{words.hint}</p>
      </div>
      {stops.state.value.transfers && (
        <GoingOn isStopped title={stopMessages().transfers.stopped}>
          <p>{managerMessages().stops.toResume}</p>
        </GoingOn>
      )}
      {posted ? (
        <DepositReceipt {...posted} onDone={() => setPosted(null)} />
      ) : first ? (
        <UnansweredDeposit
          key={first.key}
          client={client}
          consent={consent}
          pending={first}
          onPosted={onPosted}
          onRead={onUndecided}
        />
      ) : account ? (
        <DepositForm
          key={account.id}
          client={client}
          consent={consent}
          account={account}
          onBack={() => setAccount(null)}
          onPosted={onPosted}
          onUndecided={onUndecided}
        />
      ) : (
        <FindAccount client={client} onFound={setAccount} />
      )}
    </div>
  );
}

const pendingDeposits = (client: Client): readonly PendingDeposit[] =>
  client.pendingCalls().filter((each): each is PendingDeposit => each.call === 'deposit');
