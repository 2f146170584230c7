/** For how long the page does not mention that there is no feed. */
export const quietMs = 5000;
