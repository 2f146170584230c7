/** Returns the rows by their ids; none if they aren't loaded yet. */
export const byId = <T extends { id: number }>(all: readonly T[] | null): ReadonlyMap<number, T> =>
  new Map((all ?? []).map((each) => [each.id, each]));
