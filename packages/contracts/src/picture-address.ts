/** Path of an uploaded picture for browsers: the `image_url` of its dish. */
export const pictureUrl = (id: string): string => `/menu-pictures/${id}`;

const uploaded = /^[^?#]*\/menu-pictures\/([0-9a-f]{64})(?:[?#].*)?$/;
const ofThisOrigin = /^(\/menu-pictures\/[0-9a-f]{64})(?:[?#].*)?$/;

/**
 * The id of the uploaded picture at an `image_url`, in whatever size and even with an origin; null for any other URL.
 */
export const pictureIdOf = (imageUrl: string | null): string | null => uploaded.exec(imageUrl ?? '')?.[1] ?? null;

/**
 * The URL of an uploaded picture without the requested size. Null for any other URL, also for one with an origin:
 * another server may need its query and have no sizes.
 */
export const withoutSize = (imageUrl: string | null): string | null => ofThisOrigin.exec(imageUrl ?? '')?.[1] ?? null;
