import type { ComponentChildren } from 'preact';
import { Icon } from '@comanda/ui/icon.tsx';

type AccountHeadProps = {
  back: string;
  onBack: () => void;
  /** Buttons at the end of the header's line. */ children?: ComponentChildren;
};

/** The account pages' header: the back link, and buttons that concern the whole page. */
export const AccountHead = ({ back, onBack, children }: AccountHeadProps) => (
  <header class="page-head account-head">
    <button type="button" class="back-link" onClick={onBack}>
      <Icon name="back" />
      <span class="back-link-text">{back}</span>
    </button>
    {children}
  </header>
);
