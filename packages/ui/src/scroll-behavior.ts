/** The behaviour of a scroll that a script starts, to which the style sheet's rule for less motion does not apply. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
