/** A colour as `#rrggbb`. */
type Colour = string;

/** Returns a channel's linear intensity, from 0 to 1 [WCAG 2.2, relative luminance]. `value` is from 0 to 255. */
function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminanceOf(colour: Colour): number {
  const channel = (at: number): number => linear(Number.parseInt(colour.slice(at, at + 2), 16));
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** Returns the contrast of two colours, from 1 (the same luminance) to 21 (black and white) [WCAG 2.2, contrast ratio]. */
export function contrastOf(one: Colour, other: Colour): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
