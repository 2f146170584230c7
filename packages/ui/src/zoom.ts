/**
 * Returns how many window pixels a pixel in the element's style sheet takes up, because tokens.css enlarges pages on very large
 * screens. `getBoundingClientRect` and `innerWidth` use window pixels. Browsers without `currentCSSZoom` make no difference
 * between them.
 */
export const zoomOf = (element: { currentCSSZoom?: number }): number => element.currentCSSZoom ?? 1;
