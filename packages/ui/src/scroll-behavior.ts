/** Returns the scroll behaviour to use in scripts. The CSS rule for reduced motion applies only to scrolling without a script. */
export const scrollBehavior = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
