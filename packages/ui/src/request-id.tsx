import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';
import './request-id.css';
import { Icon } from './icon.tsx';
import { uiMessages } from './messages.ts';

/** Shows the id of the failed request and a button to copy it. With this id, operators can find the failure in the logs. */
export function RequestId({ id }: { id: string }) {
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => setCopied(await copyText(id, shown.current));
  return (
    <p class="row wrap request-id">
      <span>
        {uiMessages().requestId} <code ref={shown}>{id}</code>
      </span>
      <Button kind="quiet" size="small" icon={<Icon name="copy" size={20} />} onClick={() => void copy()}>
        <span aria-live="polite">{copied ? uiMessages().copied : uiMessages().copy}</span>
      </Button>
    </p>
  );
}
