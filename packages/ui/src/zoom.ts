/**
 * How many pixels of the window one pixel of this element's style sheet takes: tokens.css enlarges pages on very large
 * screens. `getBoundingClientRect` and `innerWidth` use those of the window. A browser without `currentCSSZoom` has no
 * such difference.
 */
export const zoomOf = (element: { currentCSSZoom?: number }): number => element.currentCSSZoom ?? 1;
