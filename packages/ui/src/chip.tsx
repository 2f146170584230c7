import type { ComponentChildren } from 'preact';
import type { ButtonAttributes } from './button.tsx';
import './chip.css';
import { classNames } from './class-names.ts';

type ChipProps = Omit<ButtonAttributes, 'lang'> & {
  /** The language of the chip's text, if it isn't the page's language. */
  lang?: string | undefined;
  icon?: ComponentChildren;
  children: ComponentChildren;
} & (
    | { /** True if the chip is switched on. */ pressed: boolean }
    | { /** True if the user is at the place that this chip leads to. */ current: boolean }
  );

/** A button of 48 px that switches something on and off, or leads to another place on the page. */
export const Chip = ({ icon, children, ...rest }: ChipProps) => {
  const { pressed, current, ...attributes } = { pressed: undefined, current: undefined, ...rest };
  return (
    <button
      type="button"
      {...attributes}
      class={classNames('chip', (pressed || current) === true && 'chip-on')}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      {...(current === true && { 'aria-current': 'true' as const })}
    >
      {icon}
      {children}
    </button>
  );
};
