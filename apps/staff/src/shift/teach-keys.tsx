import { useLayoutEffect, useState } from 'preact/hooks';
import { findLast } from '@comanda/contracts/collections';
import { actions, defaults, type Action, type Keys } from '../device/keys.ts';
import { onDevice } from '../on-device.ts';
import { shiftMessages } from './messages.ts';
import { actionName } from './action-name.ts';
import './teach-keys.css';

type TeachKeysProps = { keys: Keys; onClose: () => void };

/** Returns the name of the key for this action, to show it. */
const keyOf = ({ taught }: Keys, action: Action): string | undefined =>
  findLast(Object.entries({ ...defaults, ...taught.value }), ([, each]) => each === action)?.[0];
function teach({ taught }: Keys, action: Action, key: string): void {
  const others = Object.entries(taught.value).filter(([, each]) => each !== action);
  onDevice.keys.write({ ...Object.fromEntries(others), [key]: action });
}

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
      teach(keys, action, event.key);
      setAt(at + 1);
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [at, action, keys, onClose]);
  if (action === undefined) return null;
  return (
    <div class="stack gap-5 teach-keys" role="dialog" aria-modal="true" aria-label={words.pressFor(actionName(action))}>
      <p>
        {at + 1} / {actions.length}
      </p>
      <h2 aria-live="polite">{words.pressFor(actionName(action))}</h2>
      <kbd>{keyOf(keys, action) ?? '–'}</kbd>
      <div>
        <button type="button" class="tool" onClick={() => setAt(at + 1)}>
          {words.skip}
        </button>
        <button
          type="button"
          class="tool"
          onClick={() => {
            onDevice.keys.write({});
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
