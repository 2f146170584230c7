import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import './fold-strip.css';

type FoldStripProps = {
  icon: IconName;
  /** What waits, and since when its oldest does: the age changes each second, and is not read out again. */
  text: string;
  age: string;
  kind: 'alarm' | 'call';
  isOpen: boolean;
  onToggle: () => void;
};

/** Several things that wait, in one line that a tap unfolds. */
export const FoldStrip = ({ icon, text, age, kind, isOpen, onToggle }: FoldStripProps) => (
  <button type="button" class={`fold-strip fold-strip-${kind}`} aria-expanded={isOpen} onClick={onToggle}>
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
