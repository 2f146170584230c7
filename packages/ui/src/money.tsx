import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.ts';

type MoneyProps = { as?: 'span' | 'p' | 'dd' | 'strong'; class?: string; children: ComponentChildren };

/** An amount of money. Its digits are equally wide, and browsers don't translate it. */
export const Money = ({ as: Tag = 'span', class: className, children }: MoneyProps) => (
  <Tag class={classNames(className, 'money')} translate={false}>
    {children}
  </Tag>
);
