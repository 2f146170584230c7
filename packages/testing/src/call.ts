import { endpoints } from '@comanda/contracts/registry';
import { internalEndpoints } from '@comanda/contracts/internal';
import { problemsOf, type AnyEndpoint } from '@comanda/contracts/endpoint';
import { problemHeaders, problemSchema } from '@comanda/contracts/problem-members';
import { problems, type ProblemCode } from '@comanda/contracts/problems';
import { createRouteTable } from '@comanda/shared/http/route-table';
import { signatureHeader, signRequest } from '@comanda/shared/http/service-signature';
import { testService } from './test-secrets.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the body was checked against its contract
type Body = any;
export type Called = { status: number; headers: Headers; body: Body; text: string; file: Buffer };
/** `file` is sent instead of a JSON body. */
type CallOptions = {
  body?: unknown;
  file?: { type: string; bytes: Uint8Array<ArrayBuffer> };
  headers?: Record<string, string>;
  token?: string | undefined;
};
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Called>;

const match = createRouteTable(endpoints);
const matchInternal = createRouteTable(internalEndpoints);

/**
 * Returns a function that calls a service or the gateway and checks each response against the call's contract. If the contract
 * does not document the status, the problem code, a body field or a header, the test fails. Calls without a token of their own
 * use `defaults.token`.
 */
export function caller(baseUrl: string, defaults: { token?: string } = {}): Call {
  return async (method, path, options = {}) => {
    const token = 'token' in options ? options.token : defaults.token;
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...signatureOf({ method, path, body }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.file && { 'content-type': options.file.type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
      ...(options.file && { body: options.file.bytes }),
    });
    const file = Buffer.from(await response.arrayBuffer());
    const text = file.toString();
    const isJson = !/^(text|image)\//.test(response.headers.get('content-type') ?? '');
    const called = {
      status: response.status,
      headers: response.headers,
      text,
      file,
      body: text === '' || !isJson ? undefined : parse(text),
    };
    const found = match(method, path);
    checkResponse(found.kind === 'endpoint' ? found.endpoint : null, called, `${method} ${path}`);
    return called;
  };
}

/** Signs a call between services on behalf of the first service that the contract allows to make this call. */
function signatureOf({ method, path, body = '' }: { method: string; path: string; body?: string | undefined }) {
  const found = matchInternal(method, path);
  const sender = found.kind === 'endpoint' ? found.endpoint.callers?.[0] : undefined;
  if (!sender) return {};
  const request = { method, target: path, body: Buffer.from(body) };
  return { [signatureHeader]: signRequest(testService(sender), request).header };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`the answer is not JSON: ${text.slice(0, 200)}`);
  }
}

const commonHeaders = new Set(
  (
    'content-type content-encoding content-length date connection keep-alive x-request-id x-service-signature cache-control vary retry-after www-authenticate allow ' +
    'transfer-encoding ratelimit ratelimit-policy content-security-policy cross-origin-opener-policy cross-origin-resource-policy ' +
    'origin-agent-cluster referrer-policy strict-transport-security x-content-type-options x-dns-prefetch-control ' +
    'x-download-options x-frame-options x-permitted-cross-domain-policies x-xss-protection'
  ).split(' '),
);

/** Checks a response against the contract. @throws Error if the contract does not document something in it */
function checkResponse(contract: AnyEndpoint | null, response: Called, what: string): void {
  const fail = (why: string): never => {
    throw new Error(`${what} answered outside its contract: ${why}\n${response.status} ${response.text.slice(0, 500)}`);
  };
  if (!response.headers.get('x-request-id')) fail('no X-Request-Id');
  if (response.status >= 400) {
    const { code, status, request_id: requestId, type } = (response.body ?? {}) as Record<string, unknown>;
    if (response.headers.get('content-type') !== 'application/problem+json') fail('not problem+json');
    if (typeof code !== 'string' || !(code in problems)) return fail(`unknown code ${String(code)}`);
    if (problems[code as ProblemCode].status !== response.status || status !== response.status)
      fail('status and code differ');
    if (type !== `/problems/${code}` || requestId !== response.headers.get('x-request-id')) fail('type or request_id');
    if (response.status === 401 && !challengeFor(code).test(response.headers.get('www-authenticate') ?? ''))
      fail(`WWW-Authenticate is ${response.headers.get('www-authenticate')}`);
    const common = ['not_found', 'method_not_allowed'];
    if (contract && !problemsOf(contract).includes(code as ProblemCode) && !common.includes(code))
      fail(`undocumented code ${code}`);
    const { error } = problemSchema(code as ProblemCode).validate(response.body, { convert: false });
    if (error) fail(`${error.message}: the members of a problem are declared in contracts/problem-members.ts`);
    checkHeaders(response, problemHeaders[code as ProblemCode] ?? [], fail);
    return;
  }
  if (!contract) return;
  const documented = contract.responses[response.status as 200];
  if (!documented) return fail('undocumented status');
  checkHeaders(response, documented.headers ?? [], fail);
  if (documented.page && response.headers.get('content-type')?.startsWith(documented.page)) return;
  if (documented.file !== undefined && response.headers.get('content-type') === documented.file) return;
  if (documented.body === null) {
    if (response.text !== '') fail('a body that is not documented');
    return;
  }
  const { error } = documented.body.validate(response.body, { convert: false });
  if (error) fail(error.message);
}

/** Returns a pattern for the `WWW-Authenticate` header of a 401 with this problem code [RFC 6750, RFC 9470]. */
function challengeFor(code: string): RegExp {
  if (code === 'invalid_token') return /^Bearer error="invalid_token"$/;
  if (code.startsWith('step_up_'))
    return /^Bearer error="insufficient_user_authentication", acr_values="urn:comanda:step-up"$/;
  if (code === 'reauthentication_required')
    return /^Bearer error="insufficient_user_authentication", (max_age="(0|900)"|acr_values="urn:comanda:password")$/;
  return /^Bearer$/;
}

function checkHeaders({ headers }: Called, documented: readonly string[], fail: (why: string) => never): void {
  const allowed = new Set(documented.map((name) => name.toLowerCase()));
  const extra = [...headers.keys()].filter((name) => !commonHeaders.has(name) && !allowed.has(name));
  if (extra.length > 0) fail(`undocumented headers ${extra.join(', ')}`);
}

/** Returns the body of a 201. @throws Error for any other response */
export function created({ status, body, text }: Called): Body {
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return body;
}

/** Returns a response's status and, if the response is a problem, its code: `409 request_in_progress`. */
export const codeOf = ({ status, body }: Called): string => `${status} ${body?.code ?? ''}`.trim();
