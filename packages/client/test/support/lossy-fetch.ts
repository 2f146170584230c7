/** A simulated network that loses responses or is down, as on a phone. */
export type Network = {
  fetch: typeof fetch;
  /** `lost` delivers requests but loses their responses. `down` delivers nothing. */
  state: 'up' | 'lost' | 'down';
  /** Returns the network's state for this request, by default `state`. */
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
