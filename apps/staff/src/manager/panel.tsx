import { classNames } from '@comanda/ui/class-names.ts';
import type { ComponentChildren } from 'preact';
import './panel.css';

type PanelProps = { title: string; class?: string; children: ComponentChildren };

/** A part of a page, with a title. */
export const Panel = ({ title, class: more, children }: PanelProps) => (
  <section class={classNames('card stack gap-2 panel', more)} aria-label={title}>
    <h2 class="manager-subtitle">{title}</h2>
    {children}
  </section>
);
