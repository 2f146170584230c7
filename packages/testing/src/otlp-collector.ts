import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { count, list, object, optional, text } from '@comanda/contracts/schema';
import { serve } from '@comanda/shared/http/serve';
import { until } from './until.ts';

/** A span that the collector has received. */
export type CollectedSpan = {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  /** The parent span's id, or null for the first span in its trace. */
  parentSpanId: string | null;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
};
/** A fake OpenTelemetry collector, which records the spans that services send. */
export type OtlpCollector = {
  url: string;
  spans: CollectedSpan[];
  requests: { headers: IncomingHttpHeaders; body: string }[];
  /** Descriptions of received requests that are not valid OTLP over HTTP in JSON. */
  defects: string[];
  /** Sets the response to all later requests. Without an argument, later requests are accepted again. */
  respondWith: (response?: (res: ServerResponse) => void) => void;
  /** Waits until the trace contains a span with each of these names. */
  untilSpans: (traceId: string, names: readonly string[]) => Promise<CollectedSpan[]>;
  /**
   * Returns one line for each span in a trace, such as `orders: POST /orders`, indented below its parent. Spans whose parent was
   * not received come last.
   */
  tree: (traceId: string) => string[];
  close: () => Promise<void>;
};

const digits = (form: RegExp) => text(64).pattern(form);
const id = (length: number) => digits(new RegExp(`^(?!0+$)[0-9a-f]{${length}}$`));
/** Creates a schema for a 64-bit integer, which OTLP represents as a string in JSON. */
const integer = () => digits(/^\d{1,19}$/);
const nanoseconds = () => digits(/^\d{19}$/);
const attributeList = () =>
  list(
    object({
      key: text(100),
      value: object({ stringValue: optional(text(1000)), intValue: optional(integer()) }).length(1),
    }),
  ).unique('key');
const encodedSpan = object({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: optional(id(16)),
  flags: count(),
  name: text(200),
  kind: count().min(1).max(5),
  startTimeUnixNano: nanoseconds(),
  endTimeUnixNano: nanoseconds(),
  attributes: attributeList(),
  links: optional(list(object({ traceId: id(32), spanId: id(16) }))),
  status: optional(object({ code: count().valid(2) })),
});
/** The schema for an `ExportTraceServiceRequest` [OTLP 1], with only the fields that the services send. */
const encodedRequest = object({
  resourceSpans: list(
    object({
      resource: object({ attributes: attributeList() }),
      scopeSpans: list(object({ scope: object({ name: text(100) }), spans: list(encodedSpan).min(1) })).min(1),
    }),
  ).min(1),
});

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } };
type Request = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Pick<CollectedSpan, 'name' | 'kind' | 'traceId' | 'spanId'> & {
        parentSpanId?: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
        links?: CollectedSpan['links'];
        status?: object;
      })[];
    }[];
  }[];
};

const take = (res: ServerResponse): void => void res.setHeader('content-type', 'application/json').end('{}');

export async function startOtlpCollector(port = 0): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const requests: OtlpCollector['requests'] = [];
  const defects: string[] = [];
  const open = new Set<ServerResponse>();
  let response = take;
  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    open.add(res);
    const body = await readText(req);
    requests.push({ headers: req.headers, body });
    if (req.method !== 'POST' || req.url !== '/v1/traces') defects.push(`${req.method} ${req.url}`);
    if (req.headers['content-type'] !== 'application/json') defects.push(String(req.headers['content-type']));
    const { error } = encodedRequest.validate(JSON.parse(body), { convert: false });
    if (error) defects.push(error.message);
    res.once('finish', () => {
      if (res.statusCode === 200 && !error) spans.push(...readSpans(JSON.parse(body) as Request, defects));
    });
    response(res);
  }
  const listening = await serve((req, res) => void receive(req, res), { port, host: '127.0.0.1' });
  const ofTrace = (traceId: string): CollectedSpan[] => spans.filter((span) => span.traceId === traceId);
  return {
    url: listening.url,
    spans,
    requests,
    defects,
    respondWith: (other = take) => void (response = other),
    untilSpans: async (traceId, names) => {
      const missing = (): string[] =>
        names.filter((name) => !ofTrace(traceId).some((span) => `${span.service}: ${span.name}` === name));
      await until(() => missing().length === 0, { what: `spans of trace ${traceId}` }).catch((cause: unknown) => {
        const tree = toTree(ofTrace(traceId)).join('\n');
        throw new Error(`missing: ${missing().join(', ')}; there are\n${tree}`, { cause });
      });
      return ofTrace(traceId);
    },
    tree: (traceId) => toTree(ofTrace(traceId)),
    close: async () => {
      for (const res of open) res.destroy();
      await listening.close();
    },
  };
}

function readSpans({ resourceSpans }: Request, defects: string[]): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span): CollectedSpan => {
        const { parentSpanId = null, links = [], status, startTimeUnixNano: start, endTimeUnixNano: end } = span;
        if (BigInt(end) < BigInt(start)) defects.push(`${span.name} ends before it starts`);
        if (Math.abs(Number(BigInt(end) / 1_000_000n) - Date.now()) > 600_000)
          defects.push(`${span.name} ends at ${end}`);
        return {
          service: String(toRecord(resource.attributes)['service.name']),
          name: span.name,
          kind: span.kind,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId,
          attributes: toRecord(span.attributes),
          links,
          failed: status !== undefined,
        };
      }),
    ),
  );
}

const toRecord = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

function toTree(spans: readonly CollectedSpan[]): string[] {
  const lineOf = ({ service, name }: CollectedSpan): string => `${service}: ${name}`;
  const below = (parent: string | null, depth: number): string[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1))
      .flatMap((span) => ['  '.repeat(depth) + lineOf(span), ...below(span.spanId, depth + 1)]);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId));
  return [...below(null, 0), ...orphans.map((span) => `without its parent: ${lineOf(span)}`)];
}
