import type { ComponentChildren } from 'preact';
import type { ButtonAttributes } from './button.tsx';
import './chip.css';
import { classNames } from './class-names.ts';

type ChipProps = Omit<ButtonAttributes, 'lang'> & {
  /** Of the text, if it is not that of the page. */
  lang?: string | undefined;
  icon?: ComponentChildren;
  children: ComponentChildren;
} & ({ /** A switch. */ pressed: boolean } | { /** One of several places of a page. */ current: boolean });

/** 48 px high: a switch, or a jump to a part of the page. */
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
