import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { classNames } from './class-names.ts';
import { pinPadMessages } from './pin-pad-messages.ts';
import './pin-pad.css';

export const pinLength = 6;

type PinPadProps = {
  /** The digits that were entered so far. Store them only in memory, and discard them as soon as the PIN was sent. */
  digits: string;
  onDigits: (digits: string) => void;
  /** The number of digits in the PIN. The default is six. */
  length?: number;
  /** Called when the user has entered all digits and presses Enter. */
  onEnter?: () => void;
  /** The name of this PIN, if the screen asks for several PINs, for example "New PIN". */
  label?: string;
  isBusy?: boolean;
};

/**
 * Shows a keypad, and a dot for each digit. The digits are in no input, attribute or text on the page, so the browser can't store
 * or fill them in. The user can also type or paste digits, unless the focus is in another field.
 */
export function PinPad({ digits, onDigits, length = pinLength, onEnter, label, isBusy = false }: PinPadProps) {
  const words = pinPadMessages();
  const element = useRef<HTMLDivElement>(null);
  const add = (text: string): void => {
    const added = text.replaceAll(/\D/g, '');
    if (!isBusy && added !== '') onDigits((digits + added).slice(0, length));
  };
  const remove = (): void => {
    if (!isBusy) onDigits(digits.slice(0, -1));
  };
  useKeys({ add, remove, onEnter, isComplete: digits.length === length });
  useEffect(() => element.current?.focus({ preventScroll: true }), [label]);

  // Pages without TLS have no clipboard API, so they have no "Paste" key, but Ctrl+V still works.
  const mayPaste = 'clipboard' in navigator;
  const paste = (): void => void navigator.clipboard.readText().then(add, () => {});
  return (
    <div
      ref={element}
      class="pin-pad"
      role="group"
      aria-label={label ?? words.label}
      aria-busy={isBusy}
      tabIndex={-1}
      autofocus
    >
      <p class="pin-pad-dots">
        {Array.from({ length }, (_, index) => (
          <span key={index} class={classNames('pin-pad-dot', index < digits.length && 'pin-pad-dot-full')} />
        ))}
        <span class="visually-hidden" role="status">
          {words.digits(digits.length, length)}
        </span>
      </p>
      <div class="pin-pad-keys">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => (
          <button key={digit} type="button" class="pin-pad-key" onClick={() => add(digit)}>
            {digit}
          </button>
        ))}
        {mayPaste ? (
          <button type="button" class="pin-pad-key pin-pad-key-quiet" onClick={paste}>
            {words.paste}
          </button>
        ) : (
          <span />
        )}
        <button type="button" class="pin-pad-key" onClick={() => add('0')}>
          0
        </button>
        <button type="button" class="pin-pad-key pin-pad-key-quiet" aria-label={words.remove} onClick={remove}>
          <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
            <path
              d="M9 5h12v14H9l-6-7ZM12 9.500l5 5M17 9.500l-5 5"
              fill="none"
              stroke="currentColor"
              stroke-width="2"
              stroke-linecap="round"
              stroke-linejoin="round"
            />
          </svg>
        </button>
      </div>
    </div>
  );
}

type Keys = { add: (text: string) => void; remove: () => void; onEnter: (() => void) | undefined; isComplete: boolean };
/** Handles digits that the user types or pastes. */
function useKeys({ add, remove, onEnter, isComplete }: Keys): void {
  // The listeners are replaced after each render, so that they use the current digits.
  useLayoutEffect(() => {
    const isElsewhere = (): boolean => {
      const focused = document.activeElement;
      return focused !== null && focused !== document.body && focused.matches('input, textarea, select');
    };
    const onKey = (event: KeyboardEvent): void => {
      if (isElsewhere() || event.ctrlKey || event.metaKey || event.altKey) return;
      // If the focus is on a button, Enter presses that button.
      const isOnButton = document.activeElement?.matches('button, a, summary') ?? false;
      // Ignores keys that are held down. If an object lay on a digit key, pads that send the PIN automatically would use up all
      // attempts. A held Enter key would press the focused button again.
      const isHeld = event.repeat && /^(\d|Enter)$/.test(event.key);
      if (isHeld) event.stopPropagation();
      else if (/^\d$/.test(event.key)) add(event.key);
      else if (event.key === 'Backspace') remove();
      else if (event.key === 'Enter' && !isOnButton && isComplete) onEnter?.();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (isElsewhere()) return;
      add(event.clipboardData?.getData('text') ?? '');
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('paste', onPaste);
    };
  });
}
