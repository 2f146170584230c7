/** How long the page hides that there is no feed, in milliseconds. */
export const quietMs = 5000;
