/**
 * Returns the behaviour for a scroll started by a script, because the style sheet's rule for reduced motion does not apply to
 * scripts.
 */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
