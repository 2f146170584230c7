/** The id of the session that an access token belongs to, taken from its `jti`. */
export const sessionIdOf = (jti: string): string => jti.split('.')[0] ?? '';
