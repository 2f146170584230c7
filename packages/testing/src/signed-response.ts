import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSignatureCheck, signatureHeader } from '@comanda/shared/http/service-signature';
import { testCallerSecrets } from './test-secrets.ts';

const check = createSignatureCheck(testCallerSecrets);

/** Ends the response to a GET as a service would, signed if the request was signed by a service. */
export function endSigned(req: IncomingMessage, res: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  const { method = '', url: target = '', headers } = req;
  const header = headers[signatureHeader.toLowerCase()] as string | undefined;
  const verified = check({ method, target, body: Buffer.alloc(0), header });
  if (verified) res.setHeader(signatureHeader, verified.sign({ status: res.statusCode, body }));
  res.end(body);
}
