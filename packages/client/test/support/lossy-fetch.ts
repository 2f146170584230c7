/** A simulated phone network that can lose responses or be down. */
export type Network = {
  fetch: typeof fetch;
  /** The state for all requests. `lost` delivers requests but loses their responses. `down` delivers no requests. */
  state: 'up' | 'lost' | 'down';
  /** Returns the network's state for one request. By default, this is `state`. */
  stateFor: (request: Request) => Network['state'];
  requests: { method: string; path: string; headers: Headers }[];
};

export function createNetwork(): Network {
  const network: Network = {
    state: 'up',
    stateFor: () => network.state,
    requests: [],
    fetch: async (input, init) => {
      const request = new Request(input, init);
      network.requests.push({
        method: request.method,
        path: new URL(request.url).pathname,
        headers: request.headers,
      });
      const state = network.stateFor(request);
      if (state === 'down') throw new TypeError('fetch failed');
      const response = await fetch(request);
      if (state === 'lost') {
        await response.arrayBuffer();
        throw new TypeError('terminated');
      }
      return response;
    },
  };
  return network;
}
