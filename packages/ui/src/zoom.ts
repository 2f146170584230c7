/**
 * Returns how many window pixels one CSS pixel of the element takes up. This can be more than 1, because tokens.css enlarges
 * pages on very large screens. `getBoundingClientRect` and `innerWidth` use window pixels. In browsers without `currentCSSZoom`,
 * both kinds of pixels are the same.
 */
export const zoomOf = (element: { currentCSSZoom?: number }): number => element.currentCSSZoom ?? 1;
