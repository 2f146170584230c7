import type * as Http from 'node:http';

/**
 * Node's HTTP module. A normal `import` would also load Node's WebSocket client and HTTP/2, which take 3 to 8 MB of memory in
 * each service.
 */
export const http: typeof Http = process.getBuiltinModule('node:http');
