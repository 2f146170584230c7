/** Joins the class names that apply: `classNames('chip', isChosen && 'chip-chosen')`. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');
