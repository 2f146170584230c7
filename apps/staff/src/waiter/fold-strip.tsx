import { Icon, type IconName } from '@comanda/ui/icon.tsx';
import './fold-strip.css';

type FoldStripProps = {
  icon: IconName;
  /** What is waiting, and since when. The age changes every second, and is not read out again. */
  text: string;
  age: string;
  kind: 'alarm' | 'call';
  isOpen: boolean;
  onToggle: () => void;
};

/** Shows several waiting things in one line, which a tap expands. */
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
