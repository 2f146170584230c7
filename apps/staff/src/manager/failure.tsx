import { Button } from '@comanda/ui/button.tsx';
import { ErrorPanel } from '@comanda/ui/error-panel.tsx';
import { managerFailureWords, managerMessages } from './messages.ts';

type FailureProps = { of: unknown; /** A function that loads the data again. */ onRetry?: (() => void) | undefined };

/** Shows why a call failed; nothing if it didn't. */
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
