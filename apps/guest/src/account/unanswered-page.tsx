import { Button } from '@comanda/ui/button.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { useRouter } from '../contexts.ts';
import { NoAnswer } from '../no-answer.tsx';
import { useAccount } from './account-context.ts';
import { Terms } from './consent.tsx';
import { accountMessages } from './messages.ts';
import type { Intent } from './transfers.ts';
import './unanswered-page.css';

type UnansweredPageProps = { intent: Intent; count: number; askedAtMs: number };

/** Shows a transfer that got no response, so it isn't known whether the money was sent. */
export function UnansweredPage({ intent, count, askedAtMs }: UnansweredPageProps) {
  const words = accountMessages();
  const { askNow } = useAccount().transfers;
  const { goBack } = useRouter();
  return (
    <NoAnswer
      class="asking"
      icon="clock"
      title={words.noAnswerTitle}
      text={words.noAnswerText}
      tried={{ icon: 'noNetwork', text: words.askedAt(count, formatTimeWithSeconds(askedAtMs)) }}
      buttons={
        <>
          <Button kind="primary" size="large" onClick={askNow}>
            {words.askNow}
          </Button>
          <Button onClick={() => goBack({ page: 'account' })}>{words.toAccounts}</Button>
        </>
      }
    >
      <div class="stack gap-4 asking-body">
        <p class="dim account-quiet">{words.noAnswerHint}</p>
        <Terms intent={intent} isSmall />
      </div>
    </NoAnswer>
  );
}
