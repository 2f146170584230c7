import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { IconButton } from './button.tsx';
import './dialog.css';
import { Icon } from './icon.tsx';
import { uiMessages } from './messages.ts';

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Buttons that stay visible at the bottom. */
  footer?: ComponentChildren;
  children: ComponentChildren;
};

/**
 * A modal dialog, which is a sheet at the bottom of a phone and a centred box on wider screens. Esc or a click outside closes it.
 */
export function Dialog({ title, isOpen, onClose, footer, children }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Runs after each render, because a second Esc makes the browser close the dialog even if its owner keeps it open.
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  });
  /**
   * Handles Esc, and lets the dialog's owner decide whether to close. A file input's `cancel` event also bubbles up to here and
   * is ignored.
   */
  const cancel = (event: Event): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={cancel}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {isOpen && (
        <div class="dialog-sheet">
          <div class="dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton label={uiMessages().close} onClick={onClose}>
              <Icon name="close" />
            </IconButton>
          </div>
          <div class="dialog-body">{children}</div>
          {footer !== undefined && <div class="dialog-foot">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
