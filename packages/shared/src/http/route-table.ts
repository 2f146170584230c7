import type { AnyEndpoint, Method } from '@comanda/contracts/endpoint';

export type Match<E> =
  | { kind: 'endpoint'; endpoint: E; params: Record<string, string>; path: string }
  | { kind: 'wrong_method'; allow: string }
  | { kind: 'none' };

type Node<E> = {
  literal: Map<string, Node<E>>;
  param: Node<E> | null;
  methods: Map<Method, { endpoint: E; names: string[] }>;
};

const newNode = <E>(): Node<E> => ({ literal: new Map(), param: null, methods: new Map() });
// Matches valid paths. They have only unreserved characters [RFC 3986], and no percent-encoding, empty segments or dot segments.
const pathForm = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+$/;

/**
 * Returns a function that finds the endpoint for a raw request target. The match is exact: a target with `//`, dot segments,
 * percent-encoding or a host matches no endpoint. `/v1/…` is an alias for `/…`, and the match's `path` does not contain `/v1`.
 * HEAD matches the endpoints for GET.
 */
export function createRouteTable<E extends Pick<AnyEndpoint, 'method' | 'path'>>(
  endpoints: readonly E[],
): (method: string, target: string) => Match<E> {
  const root = newNode<E>();
  for (const endpoint of endpoints) {
    let node = root;
    const names: string[] = [];
    for (const segment of endpoint.path.slice(1).split('/')) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        node = node.param ??= newNode();
      } else {
        const next: Node<E> = node.literal.get(segment) ?? newNode();
        node.literal.set(segment, next);
        node = next;
      }
    }
    node.methods.set(endpoint.method, { endpoint, names });
  }

  return (method, target) => {
    const question = target.indexOf('?');
    const raw = question < 0 ? target : target.slice(0, question);
    const path = raw.startsWith('/v1/') ? raw.slice(3) : raw;
    if (!pathForm.test(path)) return { kind: 'none' };
    let node: Node<E> | null | undefined = root;
    const values: string[] = [];
    for (const segment of path.slice(1).split('/')) {
      const literal: Node<E> | undefined = node?.literal.get(segment);
      if (!literal) values.push(segment);
      node = literal ?? node?.param;
    }
    if (!node || node.methods.size === 0) return { kind: 'none' };
    const entry = node.methods.get((method === 'HEAD' ? 'GET' : method) as Method);
    if (!entry) return { kind: 'wrong_method', allow: allowed(node) };
    const params = Object.fromEntries(entry.names.map((name, index) => [name, values[index] ?? '']));
    return { kind: 'endpoint', endpoint: entry.endpoint, params, path };
  };
}

const allowed = (node: Node<unknown>): string =>
  [...node.methods.keys()]
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .toSorted()
    .join(', ');
