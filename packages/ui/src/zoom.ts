/**
 * How many pixels of the window one of this element's style sheet takes: tokens.css enlarges pages on very large screens.
 * `getBoundingClientRect` and `innerWidth` are in those of the window. A browser that does not know the member is not asked
 * to tell the two apart either.
 */
export const zoomOf = (element: { currentCSSZoom?: number }): number => element.currentCSSZoom ?? 1;
