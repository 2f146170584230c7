/** The banknotes that guests commonly hand over, in minor units. */
const notes = [500n, 1_000n, 2_000n, 5_000n, 10_000n];
const maxOffered = 4;

/**
 * Returns round amounts that a guest may hand over for this total, in minor units, the smallest first. The total itself isn't
 * among them.
 */
export function notesFor(totalMinor: bigint): readonly bigint[] {
  const amounts = notes.map((note) => ((totalMinor + note - 1n) / note) * note);
  const offered = [...new Set(amounts)].filter((amount) => amount > totalMinor);
  return [...offered].sort((a, b) => (a < b ? -1 : 1)).slice(0, maxOffered);
}
