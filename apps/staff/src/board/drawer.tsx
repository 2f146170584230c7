import type { ComponentChildren } from 'preact';
import { Icon } from '@comanda/ui/icon.tsx';
import { uiMessages } from '@comanda/ui/messages.ts';
import './drawer.css';

type DrawerProps = { title: string; subtitle?: string; onClose: () => void; children: ComponentChildren };

/** A panel beside the tickets. On a phone, it covers them. */
export function Drawer({ title, subtitle, onClose, children }: DrawerProps) {
  return (
    <aside class="edge column drawer sheet" aria-label={title}>
      <div class="row gap-2 drawer-head">
        <h2>{title}</h2>
        <button type="button" class="centre drawer-close" aria-label={uiMessages().close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {/* The focus makes the list scrollable with the keyboard. */}
      <div class="drawer-body" tabIndex={0} role="group" aria-label={title}>
        {subtitle !== undefined && <p class="drawer-subtitle">{subtitle}</p>}
        {children}
      </div>
    </aside>
  );
}
