/** A network that loses answers or is down, as on a phone. */
export type Network = {
  fetch: typeof fetch;
  /** `lost`: requests arrive at the server, answers are lost; `down`: nothing arrives. */
  state: 'up' | 'lost' | 'down';
  requests: { method: string; path: string; headers: Headers }[];
};

export function createNetwork(): Network {
  const network: Network = {
    state: 'up',
    requests: [],
    fetch: async (input, init) => {
      const request = new Request(input, init);
      network.requests.push({
        method: request.method,
        path: new URL(request.url).pathname,
        headers: request.headers,
      });
      if (network.state === 'down') throw new TypeError('fetch failed');
      const answer = await fetch(request);
      if (network.state === 'lost') {
        await answer.arrayBuffer();
        throw new TypeError('terminated');
      }
      return answer;
    },
  };
  return network;
}
