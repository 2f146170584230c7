/** Returns the path at which browsers load an uploaded picture: its dish's `image_url`. */
export const pictureUrl = (id: string): string => `/menu-pictures/${id}`;

const uploaded = /^[^?#]*\/menu-pictures\/([0-9a-f]{64})(?:[?#].*)?$/;
const ofThisOrigin = /^(\/menu-pictures\/[0-9a-f]{64})(?:[?#].*)?$/;

/** Returns the id of the uploaded picture at an `image_url`, in any size and even with an origin; null for any other URL. */
export const pictureIdOf = (imageUrl: string | null): string | null => uploaded.exec(imageUrl ?? '')?.[1] ?? null;

/**
 * Removes the requested size from an uploaded picture's URL. Returns null for any other URL, even for an uploaded picture's URL
 * with an origin: that server may need the query, and may not offer other sizes.
 */
export const withoutSize = (imageUrl: string | null): string | null => ofThisOrigin.exec(imageUrl ?? '')?.[1] ?? null;
