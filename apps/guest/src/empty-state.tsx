import type { ComponentChildren } from 'preact';

type EmptyStateProps = { drawing?: ComponentChildren; title: string; hint?: string; children?: ComponentChildren };

/**
 * A drawing with advice on what to do, for a page or section that has nothing to show. Only the title appears until it is certain
 * that there is nothing.
 */
export const EmptyState = ({ drawing, title, hint, children }: EmptyStateProps) => (
  <div class="stack gap-2 empty">
    {drawing}
    <h2>{title}</h2>
    {hint !== undefined && <p>{hint}</p>}
    {children}
  </div>
);
