import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import './fold-strip.css';

type FoldStripProps = {
  icon: IconName;
  /** What is waiting. The age is separate, because it changes every second, and screen readers should not repeat it. */
  text: string;
  age: string;
  kind: 'alarm' | 'taken';
  isOpen: boolean;
  onToggle: () => void;
};

/** Summarizes several waiting things in one line. A tap expands it. */
export const FoldStrip = ({ icon, text, age, kind, isOpen, onToggle }: FoldStripProps) => (
  <button type="button" class={`row gap-3 fold-strip fold-strip-${kind}`} aria-expanded={isOpen} onClick={onToggle}>
    <Icon name={icon} size={28} />
    <span class="fold-strip-text">
      {text}
      <span class="fold-strip-age" aria-live="off">
        {age}
      </span>
    </span>
    <span class="fold-strip-sign">
      <Icon name="chevron" />
    </span>
  </button>
);
