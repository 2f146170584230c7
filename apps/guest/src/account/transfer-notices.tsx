import { Button } from '@comanda/ui/button.tsx';
import { formatMoney } from '@comanda/ui/format.ts';
import { useRouter } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import { useAccount } from './account-context.ts';
import { accountMessages } from './messages.ts';
import type { Intent } from './transfers.ts';

/** Returns the amount as text, such as `R$ 180.00`, and the payee's account number. */
export const partsOf = ({ input }: Pick<Intent, 'input'>): [amount: string, to: number] => [
  formatMoney(input.amount, input.currency),
  input.to_account_id,
];

/** Shows the outcome of a transfer whose response was lost, and a transfer whose outcome isn't known yet. */
export function TransferNotices() {
  const words = accountMessages();
  const { found, setFound, intent, notSent } = useAccount().transfers;
  const { navigate, replace, route } = useRouter();
  const sent = found.value;
  const unsent = notSent.value;
  const isHome = route.value.page === 'account' && route.value.part === undefined;
  return (
    <>
      {isHome && intent.value && (
        <Notice kind="warning" icon="warning" title={words.isPending}>
          <p>{words.pendingTerms(...partsOf(intent.value))}</p>
          <Button size="small" onClick={() => navigate({ page: 'account', part: 'transfer' })}>
            {words.look}
          </Button>
        </Notice>
      )}
      {unsent && (
        <Notice kind="warning" icon="warning" title={accountMessages().settled.not_done(...partsOf(unsent))}>
          <p>{words.notSentHint}</p>
        </Notice>
      )}
      {sent && (
        <Notice
          kind="good"
          icon="check"
          title={accountMessages().settled.done(formatMoney(sent.amount, sent.currency), sent.to_account_id)}
        >
          <p>{words.wasSentHint}</p>
          <Button
            size="small"
            onClick={() => {
              setFound(null);
              const to = { page: 'account', part: 'receipt', id: sent.id } as const;
              if (isHome) navigate(to);
              else replace(to);
            }}
          >
            {words.seeReceipt}
          </Button>
        </Notice>
      )}
    </>
  );
}
