import type { ComponentChildren } from 'preact';
import { classNames } from '@comanda/ui/class-names.ts';
import { Icon } from '@comanda/ui/icon.tsx';
import './going-on.css';

type GoingOnProps = { /** Null if unknown. */ isStopped: boolean | null; title: string; children?: ComponentChildren };

/** Shows whether something is running or stopped, and since when and why. */
export const GoingOn = ({ isStopped, title, children }: GoingOnProps) => (
  <section
    class={classNames('edge row wrap going-on', isStopped === true ? 'on-amber' : 'on-ready-soft')}
    role="status"
  >
    <Icon name={isStopped === null ? 'warning' : isStopped ? 'pause' : 'check'} size={40} />
    <div>
      <h2>{title}</h2>
      {children}
    </div>
  </section>
);
