/**
 * Returns how many window pixels one pixel in this element's style sheet takes up: tokens.css enlarges pages on very large
 * screens. `getBoundingClientRect` and `innerWidth` use window pixels. A browser without `currentCSSZoom` has no such difference.
 */
export const zoomOf = (element: { currentCSSZoom?: number }): number => element.currentCSSZoom ?? 1;
