/** Where browsers load an uploaded picture: the `image_url` of its dish. */
export const pictureUrl = (id: string): string => `/menu-pictures/${id}`;

const uploaded = /^[^?#]*\/menu-pictures\/([0-9a-f]{64})(?:[?#].*)?$/;
const ofThisOrigin = /^(\/menu-pictures\/[0-9a-f]{64})(?:[?#].*)?$/;

/**
 * The id of the uploaded picture that an `image_url` is the address of, in whatever size, also if it says the origin. Null for
 * any other address.
 */
export const pictureIdOf = (imageUrl: string | null): string | null => uploaded.exec(imageUrl ?? '')?.[1] ?? null;

/**
 * The address of an uploaded picture without the size that it may ask for. Null for any other address, also for one that says
 * an origin: another server may need its query, and have no sizes.
 */
export const withoutSize = (imageUrl: string | null): string | null => ofThisOrigin.exec(imageUrl ?? '')?.[1] ?? null;
