/** How long pages wait before they show that the feed isn't live, in milliseconds. */
export const quietMs = 5000;
