/** Returns the behaviour for a script's scroll, because the CSS rule for reduced motion does not apply to scripts. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
