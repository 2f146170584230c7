/** Where clients open the WebSocket of the live feed. */
export const feedPath = '/socket.io/';
