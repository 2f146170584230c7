import { once } from 'node:events';
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** An object of Kubernetes, as far as all have it. */
export type KubernetesObject = {
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
    ownerReferences?: { kind: string; name: string }[];
  };
};
type List<T> = { metadata: { resourceVersion: string }; items: T[] };

export type KubernetesApi = {
  /** @throws ApiError for an answer that is no success */
  call: <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<T>;
  list: <T>(path: string) => Promise<T[]>;
  /** Calls `onChange` with all objects at `path`, at first and after each change, until `signal` says so. */
  follow: <T extends KubernetesObject>(path: string, options: Follow<T>) => void;
  close: () => void;
};
type Follow<T> = { onChange: (objects: ReadonlyMap<string, T>) => void; signal: AbortSignal };

export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Sent = Omit<RequestOptions, 'headers'> & { headers?: OutgoingHttpHeaders };

/** How long a connection that has ended is left alone. */
const againAfterMs = 300;

/** Calls the API server as an administrator. `authority` has signed its certificate. */
export function createKubernetesApi(options: { url: string; token: string; authority: string }): KubernetesApi {
  const { url, token, authority } = options;
  const agent = new Agent({ keepAlive: true, ca: authority });
  async function send(path: string, { headers, ...sent }: Sent, body?: string): Promise<IncomingMessage> {
    const outgoing = request(url + path, {
      agent,
      ...sent,
      headers: { authorization: `Bearer ${token}`, ...headers },
    }).end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return answer;
  }
  const call: KubernetesApi['call'] = async <T>(method: string, path: string, body?: object) => {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const text = body && JSON.stringify(body);
    // Node sends no length of its own with a DELETE.
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const answer = await send(path, { method, headers }, text);
    const answered = Buffer.concat(await answer.toArray()).toString();
    const status = answer.statusCode ?? 0;
    if (status >= 300) throw new ApiError(status, `${method} ${path}: ${status} ${messageOf(answered)}`);
    return JSON.parse(answered) as T;
  };

  /** Reads all, then what changes, until the connection ends. */
  async function followOnce<T extends KubernetesObject>(path: string, { onChange, signal }: Follow<T>): Promise<void> {
    const { metadata, items } = await call<List<T>>('GET', path);
    const objects = new Map(items.map((item) => [item.metadata.uid, item]));
    onChange(objects);
    const query = `${path.includes('?') ? '&' : '?'}watch=1&resourceVersion=${metadata.resourceVersion}`;
    const answer = await send(path + query, { agent: new Agent({ ca: authority }), signal });
    for await (const line of createInterface({ input: answer })) {
      const { type, object } = JSON.parse(line) as { type: string; object: T };
      if (type === 'ERROR') return; // what it should go on from is too old
      if (type === 'DELETED') objects.delete(object.metadata.uid);
      else objects.set(object.metadata.uid, object);
      onChange(objects);
    }
  }
  async function followAlways<T extends KubernetesObject>(path: string, followed: Follow<T>): Promise<void> {
    while (!followed.signal.aborted) {
      await followOnce(path, followed).catch(() => undefined);
      await pause(againAfterMs);
    }
  }
  return {
    call,
    list: async <T>(path: string) => (await call<List<T>>('GET', path)).items,
    follow: (path, followed) => void followAlways(path, followed),
    close: () => agent.destroy(),
  };
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
