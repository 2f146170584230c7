/** Where browsers load an uploaded picture: the `image_url` of its dish. */
export const pictureUrl = (id: string): string => `/menu-pictures/${id}`;
/** The id of the uploaded picture that an `image_url` is the address of. Null for any other address. */
export const pictureIdOf = (imageUrl: string | null): string | null =>
  /\/menu-pictures\/([0-9a-f]{64})$/.exec(imageUrl ?? '')?.[1] ?? null;
