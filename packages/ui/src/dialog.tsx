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
  /** Buttons that stay visible at the bottom of the dialog. */
  footer?: ComponentChildren;
  children: ComponentChildren;
};

/** A modal dialog: a sheet at the bottom on phones, a centred box on wider screens. Esc or a click outside closes it. */
export function Dialog({ title, isOpen, onClose, footer, children }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // Runs after each render, because the browser closes the dialog at a second Esc even if `isOpen` is still true.
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  });
  /** Handles Esc: `onClose` decides whether to close the dialog. Ignores `cancel` events of file inputs inside the dialog. */
  const cancel = (event: Event): void => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={element}
      class="edge dialog"
      aria-labelledby={id}
      onCancel={cancel}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {isOpen && (
        <div class="column dialog-sheet">
          <div class="row gap-3 dialog-head">
            <h2 id={id}>{title}</h2>
            <IconButton label={uiMessages().close} onClick={onClose}>
              <Icon name="close" />
            </IconButton>
          </div>
          <div class="dialog-body">{children}</div>
          {footer !== undefined && <div class="stack gap-3 dialog-foot">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
