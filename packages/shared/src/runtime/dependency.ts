/** A server that this service needs. Without a `hard` dependency, the service is not ready; a `soft` one is only reported. */
export type Dependency = {
  name: string;
  need: 'hard' | 'soft';
  isUp: () => boolean;
  /** Returns faults in that server's settings, as sentences. */
  warnings?: () => readonly string[];
};
