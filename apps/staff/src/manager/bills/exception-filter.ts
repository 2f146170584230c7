/** Which exceptions a page lists: those of a closed day, those since a time, or all. */
export type ExceptionFilter = { day: number | null; since: string | null };

/** Writes the filter as a part of the page's address. */
export const exceptionQueryOf = (filter: { day: number } | { since: string }): string =>
  'day' in filter ? `day=${filter.day}` : `since=${filter.since}`;

/** Reads the filter from the page's address. What isn't valid lists all. */
export function exceptionFilterOf(query: string): ExceptionFilter {
  const parameters = new URLSearchParams(query);
  const [day, since] = [parameters.get('day') ?? '', parameters.get('since') ?? ''];
  return {
    day: /^[1-9]\d{0,8}$/.test(day) ? Number(day) : null,
    since: Number.isNaN(Date.parse(since)) ? null : since,
  };
}
