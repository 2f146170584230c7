import { useLayoutEffect, useState } from 'preact/hooks';
import { actions, type Keys } from '../device/keys.ts';
import { shiftMessages } from './messages.ts';
import { actionName } from './action-name.ts';
import './teach-keys.css';

export type TeachKeysProps = { keys: Keys; onClose: () => void };

/** Asks staff to press the key for each action, one after the other, because bump bars differ. */
export function TeachKeys({ keys, onClose }: TeachKeysProps) {
  const words = shiftMessages().keyNames;
  const [at, setAt] = useState(0);
  const action = actions[at];
  useLayoutEffect(() => {
    if (action === undefined) {
      onClose();
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Tab' || event.key === 'Shift') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      keys.teach(action, event.key);
      setAt(at + 1);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [at, action, keys, onClose]);
  if (action === undefined) return null;
  return (
    <div class="teach-keys" role="dialog" aria-modal="true" aria-label={words.pressFor(actionName(action))}>
      <p>
        {at + 1} / {actions.length}
      </p>
      <h2 aria-live="polite">{words.pressFor(actionName(action))}</h2>
      <kbd>{keys.keyOf(action) ?? '–'}</kbd>
      <div>
        <button type="button" class="tool" onClick={() => setAt(at + 1)}>
          {words.skip}
        </button>
        <button
          type="button"
          class="tool"
          onClick={() => {
            keys.forget();
            setAt(0);
          }}
        >
          {words.forget}
        </button>
        <button type="button" class="tool tool-light" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </div>
  );
}
