import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { pinMessages } from './pin-messages.ts';
import { StepPage, type StepProps } from './pin-payment-layout.tsx';
import { totalOf, type OwnAccount } from './pin-payment-state.ts';
import { OtherWay } from './pin-payment-steps.tsx';

/** Says that this customer has no account, and leads to the other ways to pay. */
export function NoAccount() {
  const words = pinMessages();
  return (
    <StepPage title={words.noAccountTitle} dock={<OtherWay kind="primary" />}>
      <p role="status">{words.noAccountText}</p>
    </StepPage>
  );
}

export function NoMoney({ pinPayment, kept: { plan } }: StepProps) {
  const words = pinMessages();
  return (
    <StepPage
      title={words.noMoneyTitle}
      dock={
        <>
          <OtherWay kind="primary" />
          <Button size="large" onClick={() => void pinPayment.prepare()}>
            {words.tryAgain}
          </Button>
        </>
      }
    >
      <p role="status">{words.noMoneyText(formatMoney(totalOf(plan), plan.currency))}</p>
    </StepPage>
  );
}

/** Lists the accounts with enough money, but not their balances, because unlike the account pages, this page is never locked. */
export function ChooseAccount({ pinPayment, accounts }: StepProps & { accounts: readonly OwnAccount[] }) {
  const words = pinMessages();
  return (
    <StepPage title={words.accountTitle}>
      <div class="stack gap-3 pay-ways">
        {accounts.map(({ id, name }) => (
          <Button key={id} size="large" onClick={() => void pinPayment.payFrom(id)}>
            {words.accountName(id, name)}
          </Button>
        ))}
      </div>
    </StepPage>
  );
}
