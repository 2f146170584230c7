import { useEffect, useState } from 'preact/hooks';
import './loading-rows.css';
import { loadingMessages } from './messages.ts';

const stillAfterMs = 5_000;

/** Shows that a list is loading, in place of its rows. After five seconds, says that it is still loading. `text` names the list. */
export function LoadingRows({ text = loadingMessages().reading }: { text?: string }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), stillAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="loading-rows" role="status">
      <span>{isLong ? loadingMessages().stillReading : text}</span>
    </div>
  );
}
