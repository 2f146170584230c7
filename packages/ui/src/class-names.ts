/** Joins class names, and leaves out `false` and `undefined`, as in `classNames('chip', isChosen && 'chip-chosen')`. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');
