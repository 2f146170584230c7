import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import './button.css';
import { classNames } from './class-names.ts';

/** Attributes that are passed on to the button element. */
export type ButtonAttributes = {
  type?: 'button' | 'submit';
  class?: string;
  lang?: string;
  disabled?: boolean;
  /** Disables the button, but users can still reach it with the Tab key. A press then calls `onRefused` instead. */
  'aria-disabled'?: boolean;
  'aria-label'?: string;
  'aria-expanded'?: boolean;
  'aria-pressed'?: boolean;
  autofocus?: boolean;
  onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
  /** Says why the button is disabled. */
  onRefused?: () => void;
};

/** Returns the attributes of the button element. While the button is disabled, a press neither acts nor submits the form. */
function guarded({ onRefused, ...rest }: ButtonAttributes): Omit<ButtonAttributes, 'onRefused'> {
  if (rest['aria-disabled'] !== true) return rest;
  return {
    ...rest,
    onClick: (event) => {
      event.preventDefault();
      onRefused?.();
    },
  };
}

type ButtonProps = ButtonAttributes & {
  /** `primary` is for the main action on a screen. `quiet` shows only text, in the accent colour. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  /** The button's height: 64, 56 or 48 px. */
  size?: 'large' | 'medium' | 'small';
  icon?: ComponentChildren;
  children: ComponentChildren;
};

export const Button = ({ kind = 'secondary', size = 'medium', icon, children, ...rest }: ButtonProps) => (
  <button type="button" {...guarded(rest)} class={classNames('button', `button-${kind}`, `button-${size}`, rest.class)}>
    {icon}
    <span class="button-text">{children}</span>
  </button>
);

type IconButtonProps = ButtonAttributes & {
  /** The text that screen readers read for the button. */ label: string;
  children: ComponentChildren;
};

/** A button of 48 × 48 px that shows an icon or two letters. */
export const IconButton = ({ label, children, ...rest }: IconButtonProps) => (
  <button type="button" aria-label={label} {...guarded(rest)} class={classNames('centre icon-button', rest.class)}>
    {children}
  </button>
);
