import type { ComponentChildren } from 'preact';
import type { ButtonAttributes } from './button.tsx';
import './chip.css';
import { classNames } from './class-names.ts';

type ChipProps = Omit<ButtonAttributes, 'lang'> & {
  /** The language of the text, if it isn't the page's. */
  lang?: string | undefined;
  icon?: ComponentChildren;
  children: ComponentChildren;
} & (
    | { /** True if the switch is on. */ pressed: boolean }
    | { /** True for the link to the current place. */ current: boolean }
  );

/** A switch, or a link to another place on the page, both 48 px high. */
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
