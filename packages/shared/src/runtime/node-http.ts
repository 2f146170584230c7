import type * as Http from 'node:http';

/**
 * Node's HTTP module. An `import` of its values would also load Node's WebSocket client and HTTP/2, which hold 3 to 8 MB in each
 * service.
 */
export const http: typeof Http = process.getBuiltinModule('node:http');
