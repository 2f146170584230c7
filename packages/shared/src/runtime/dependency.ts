/** A server that this service needs. Without a `hard` dependency the service is not ready; a `soft` one is only reported. */
export type Dependency = {
  name: string;
  need: 'hard' | 'soft';
  isUp: () => boolean;
  /** Faults in the settings of that server, in sentences. */
  warnings?: () => readonly string[];
};
