/**
 * A server that this service needs. While a `hard` dependency is down, the service is not ready. A `soft` dependency that is down
 * is only reported.
 */
export type Dependency = {
  name: string;
  need: 'hard' | 'soft';
  isUp: () => boolean;
  /** Returns a sentence for each problem with the server's settings. */
  warnings?: () => readonly string[];
};
