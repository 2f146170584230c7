import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import '../board/printout.css';
import './paper.css';

/** What is being printed, and on which paper; null for nothing. */
const paper = signal<{ size: 'a4' | 'roll'; content: ComponentChildren } | null>(null);

/** Prints this content on A4, or on a receipt printer's roll of 80 mm. */
export const printOn = (size: 'a4' | 'roll', content: ComponentChildren): void =>
  void (paper.value = { size, content });

/** The page that is being printed. It appears only on paper. */
export function Paper() {
  const printed = paper.value;
  useEffect(() => {
    if (printed === null) return undefined;
    const clear = (): void => void (paper.value = null);
    addEventListener('afterprint', clear, { once: true });
    print();
    return () => removeEventListener('afterprint', clear);
  }, [printed]);
  return printed && <div class={`printout paper paper-${printed.size}`}>{printed.content}</div>;
}
