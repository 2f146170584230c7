import { Button } from '@comanda/ui/button.tsx';
import { formatTimeWithSeconds } from '@comanda/ui/format.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import { useRouter } from '../contexts.ts';
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
          <Terms intent={intent} isSmall />
        </div>
      </main>
      <footer class="dock">
        <Button kind="primary" size="large" onClick={askNow}>
          {words.askNow}
        </Button>
        <Button onClick={() => goBack({ page: 'account' })}>{words.toAccounts}</Button>
      </footer>
    </div>
  );
}
