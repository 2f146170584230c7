/** The session that an access token belongs to, by its `jti`. */
export const sessionIdOf = (jti: string): string => jti.split('.')[0] ?? '';
