import { formatTime } from '@comanda/ui/format.ts';
import { useGuest } from '../contexts.ts';
import { Notice } from '../notice.tsx';
import { lateMenuMessages } from './messages.ts';

/** Says when the shown menu was loaded, if there is no network to load it again. */
export function KnownMenuNotice() {
  const atMs = useGuest().menu.knownAtMs.value;
  if (atMs === null) return null;
  const words = lateMenuMessages();
  return (
    <Notice kind="warning" icon="noNetwork" title={words.menuOf(formatTime(atMs))}>
      <p>{words.menuOfHint}</p>
    </Notice>
  );
}
