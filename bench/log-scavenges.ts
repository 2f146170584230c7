// Loaded into a service (`--import`), because NODE_OPTIONS takes no flag of V8: V8 logs each collection on standard output.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--trace-gc');
