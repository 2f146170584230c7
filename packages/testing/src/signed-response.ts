import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSignatureCheck, signatureHeader } from '@comanda/shared/http/service-signature';
import { testCallerSecrets } from './test-secrets.ts';

const check = createSignatureCheck(testCallerSecrets);

/** Sends `text` as the response to a GET, like a service: if a service signed the request, the response is signed too. */
export function endSigned(req: IncomingMessage, res: ServerResponse, text: string): void {
  const body = Buffer.from(text);
  const { method = '', url: target = '', headers } = req;
  const header = headers[signatureHeader.toLowerCase()] as string | undefined;
  const verified = check({ method, target, body: Buffer.alloc(0), header });
  if (verified) res.setHeader(signatureHeader, verified.sign({ status: res.statusCode, body }));
  res.end(body);
}
