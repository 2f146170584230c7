/** Of a scroll that a script begins: the style sheet's rule for less motion does not hold for it. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
