import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useAction } from '@comanda/ui/use-action.ts';
import { accountFailureWords } from '../account/failures.ts';
import { pinMessages } from './pin-messages.ts';
import { StepPage, type StepProps } from './pin-payment-layout.tsx';
import { totalOf, type OwnAccount } from './pin-payment-state.ts';
import { OtherWay } from './pin-payment-steps.tsx';

/** Lets a customer without an account open one, and says that it will be empty. */
export function NoAccount({ pinPayment, kept }: StepProps) {
  const words = pinMessages();
  const { failure, isBusy, run } = useAction();
  return (
    <StepPage
      title={words.noAccountTitle}
      dock={
        <>
          <Button
            kind="primary"
            size="large"
            aria-disabled={isBusy}
            onClick={() => void run(() => pinPayment.openAccount())}
          >
            {words.openAccount}
          </Button>
          <OtherWay />
        </>
      }
    >
      {failure !== null && <ErrorPanel words={accountFailureWords(failure)} />}
      <p>{words.noAccountText(kept.plan.currency)}</p>
    </StepPage>
  );
}

export function NoMoney({ pinPayment, kept: { plan }, opened }: StepProps & { opened: OwnAccount | null }) {
  const words = pinMessages();
  return (
    <StepPage
      title={opened ? words.openedTitle(opened.id) : words.noMoneyTitle}
      dock={
        <>
          <Button kind="primary" size="large" onClick={() => void pinPayment.prepare()}>
            {words.tryAgain}
          </Button>
          <OtherWay />
        </>
      }
    >
      <p role="status">{opened ? words.openedText : words.noMoneyText(formatMoney(totalOf(plan), plan.currency))}</p>
    </StepPage>
  );
}

/** Lists the accounts with enough money, but not their balances, because unlike the account pages, this page is never locked. */
export function ChooseAccount({ pinPayment, accounts }: StepProps & { accounts: readonly OwnAccount[] }) {
  const words = pinMessages();
  return (
    <StepPage title={words.accountTitle}>
      <div class="pay-ways">
        {accounts.map(({ id, name }) => (
          <Button key={id} size="large" onClick={() => void pinPayment.payFrom(id)}>
            {words.accountName(id, name)}
          </Button>
        ))}
      </div>
    </StepPage>
  );
}
