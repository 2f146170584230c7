import type { ComponentChildren } from 'preact';
import './error-panel.css';
import { Icon } from './icon.tsx';
import type { FailureWords } from './failure-words.ts';
import { RequestId } from './request-id.tsx';

type ErrorPanelProps = {
  words: FailureWords;
  /** Buttons for what the user can do next. */ children?: ComponentChildren;
};

/** Shows a failure: what happened, what was not done, what the user can do, and the request id. */
export const ErrorPanel = ({ words, children }: ErrorPanelProps) => (
  <div class="edge on-error-soft wrap gap-3 error-panel" role="alert">
    <Icon name="warning" />
    <div class="stack gap-2 error-panel-text">
      <p class="error-panel-title">{words.happened}</p>
      <p>{words.toDo}</p>
      {words.requestId !== undefined && <RequestId id={words.requestId} />}
      {children}
    </div>
  </div>
);
