import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Joi from 'joi';
import { serve } from '@comanda/shared/http/serve';
import { until } from './until.ts';

/** A span that was received. */
export type CollectedSpan = {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  /** Null if it is the first one of its trace. */
  parentSpanId: string | null;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
};
/** Takes what services record, as a collector of OpenTelemetry does. */
export type OtlpCollector = {
  url: string;
  spans: CollectedSpan[];
  requests: { headers: IncomingHttpHeaders; body: string }[];
  /** What of the requests is no OTLP over HTTP in JSON. */
  defects: string[];
  /** Answers the requests that come from now on; without an argument it takes everything, as at the start. */
  answerWith: (answer?: (res: ServerResponse) => void) => void;
  /** Waits until a trace has a span of each of these names. */
  untilSpans: (traceId: string, names: readonly string[]) => Promise<CollectedSpan[]>;
  /** One line for each span, below its parent and indented: `orders: POST /orders`. Spans whose parent is missing come last. */
  tree: (traceId: string) => string[];
  close: () => Promise<void>;
};

const hex = (digits: number): Joi.StringSchema =>
  Joi.string()
    .pattern(new RegExp(`^[0-9a-f]{${digits}}$`))
    .invalid('0'.repeat(digits))
    .required();
const integer = Joi.string().pattern(/^\d{1,19}$/);
const attributeList = Joi.array()
  .items(
    Joi.object({
      key: Joi.string().required(),
      value: Joi.object({ stringValue: Joi.string().allow(''), intValue: integer })
        .length(1)
        .required(),
    }),
  )
  .unique('key')
  .required();
/** `ExportTraceServiceRequest` [OTLP 1], with the fields that our services send and no other. */
const request = Joi.object({
  resourceSpans: Joi.array()
    .items(
      Joi.object({
        resource: Joi.object({ attributes: attributeList }).required(),
        scopeSpans: Joi.array()
          .items(
            Joi.object({
              scope: Joi.object({ name: Joi.string().required() }).required(),
              spans: Joi.array()
                .items(
                  Joi.object({
                    traceId: hex(32),
                    spanId: hex(16),
                    parentSpanId: hex(16).optional(),
                    flags: Joi.number().integer().required(),
                    name: Joi.string().required(),
                    kind: Joi.number().integer().min(1).max(5).required(),
                    startTimeUnixNano: integer.length(19).required(),
                    endTimeUnixNano: integer.length(19).required(),
                    attributes: attributeList,
                    links: Joi.array().items(Joi.object({ traceId: hex(32), spanId: hex(16) })),
                    status: Joi.object({ code: Joi.number().valid(2).required() }),
                  }),
                )
                .min(1)
                .required(),
            }),
          )
          .min(1)
          .required(),
      }),
    )
    .min(1)
    .required(),
}).required();

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
  let answer = take;
  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    open.add(res);
    const body = await text(req);
    requests.push({ headers: req.headers, body });
    if (req.method !== 'POST' || req.url !== '/v1/traces') defects.push(`${req.method} ${req.url}`);
    if (req.headers['content-type'] !== 'application/json') defects.push(String(req.headers['content-type']));
    const { error } = request.validate(JSON.parse(body), { convert: false });
    if (error) defects.push(error.message);
    res.once('finish', () => {
      if (res.statusCode === 200 && !error) spans.push(...readSpans(JSON.parse(body) as Request, defects));
    });
    answer(res);
  }
  const listening = await serve((req, res) => void receive(req, res), { port, host: '127.0.0.1' });
  const ofTrace = (traceId: string): CollectedSpan[] => spans.filter((span) => span.traceId === traceId);
  return {
    url: listening.url,
    spans,
    requests,
    defects,
    answerWith: (other = take) => void (answer = other),
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
