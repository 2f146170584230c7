import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { managerFailureWords, managerMessages } from './messages.ts';

type FailureProps = { of: unknown; /** What reads it again. */ onRetry?: (() => void) | undefined };

/** Why a call failed; nothing if it did not. */
export const Failure = ({ of, onRetry }: FailureProps) =>
  of !== null && (
    <ErrorPanel words={managerFailureWords(of)}>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {managerMessages().tryAgain}
        </Button>
      )}
    </ErrorPanel>
  );
