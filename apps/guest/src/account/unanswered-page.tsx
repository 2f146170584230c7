import { Button } from '@comanda/ui/button.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { useRouter } from '../contexts.ts';
import { NoAnswer } from '../no-answer.tsx';
import { useAccount } from './account-context.ts';
import { Terms } from './consent.tsx';
import { accountMessages } from './messages.ts';
import type { Intent } from './transfer-state.ts';
import './unanswered-page.css';

/** There was no answer: nobody knows whether the money was sent. */
export function UnansweredPage({ intent }: { intent: Intent }) {
  const words = accountMessages();
  const { questions, askNow } = useAccount().transfers;
  const { goBack } = useRouter();
  const { count, at } = questions.value;
  return (
    <NoAnswer
      class="asking"
      icon="clock"
      title={words.noAnswerTitle}
      text={words.noAnswerText}
      tried={{ icon: 'noNetwork', text: words.askedAt(count, formatTimeWithSeconds(at)) }}
      buttons={
        <>
          <Button kind="primary" size="large" onClick={askNow}>
            {words.askNow}
          </Button>
          <Button onClick={() => goBack({ page: 'account' })}>{words.toAccounts}</Button>
        </>
      }
    >
      <div class="asking-body">
        <p class="account-quiet">{words.noAnswerHint}</p>
        <Terms intent={intent} isSmall />
      </div>
    </NoAnswer>
  );
}
