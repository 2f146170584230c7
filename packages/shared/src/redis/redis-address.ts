/** How long to wait for a Sentinel's response before trying the next Sentinel, in milliseconds. */
const sentinelTimeoutMs = 500;

/**
 * Parses a Redis URL. `redis://…` and `rediss://…` are for a single server. `redis+sentinel://:password@host:port,host:port/name`
 * lists Sentinels that know the primary `name`. When another server becomes the primary, the connection switches to it
 * immediately.
 */
export function redisAddress(url: string) {
  const found = /^redis\+sentinel:\/\/(?:([^:@/]*):([^@/]*)@)?([^/]+)\/([^/?]+)$/.exec(url);
  if (!found) return { url };
  const [, username, password, hosts = '', name = ''] = found;
  return {
    sentinels: {
      sentinels: hosts.split(',').map((host) => {
        const { hostname, port } = new URL(`redis://${host}`);
        return { host: hostname, port: Number(port || 26379) };
      }),
      name,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password !== undefined && { password: decodeURIComponent(password) }),
      sentinelCommandTimeout: sentinelTimeoutMs,
      sentinelRetryStrategy: (attempt: number) => Math.min(1_000, 50 * attempt),
      failoverDetector: true,
      disconnectTimeout: 100,
    },
  };
}
