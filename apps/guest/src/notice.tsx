import type { ComponentChildren } from 'preact';
import { classNames } from '@comanda/ui/class-names.ts';
import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import './notice.css';

type NoticeProps = {
  /** `warning` is amber, and means that something may not be as the guest expects. */
  kind: 'info' | 'warning' | 'good';
  icon: IconName;
  title: string;
  children?: ComponentChildren;
};

export const Notice = ({ kind, icon, title, children }: NoticeProps) => (
  <section class={classNames('edge wrap gap-3 notice', `notice-${kind}`)} role="status">
    <Icon name={icon} />
    <div class="notice-text">
      <p class="notice-title">{title}</p>
      {children}
    </div>
  </section>
);
