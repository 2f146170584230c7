import { getPixPayment, recordPixStatement, type PixDecision, type PixPayment } from '@comanda/contracts/pix-internal';
import { createServiceClient, type UserRequest } from '@comanda/shared/http/service-client';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';
import type { Tracer } from '@comanda/shared/tracing/tracer';

/**
 * Calls to the orders service about payments by Pix. A call throws the problem in the response, or 503 `service_unavailable` if
 * there is no response.
 */
export type PixOrders = {
  getPayment: (id: number, request: UserRequest) => Promise<PixPayment>;
  decide: (statement: string) => Promise<PixDecision>;
  close: () => void;
};

export function askOrdersAboutPix(
  url: string,
  { service, tracer }: { service: ServiceIdentity; tracer: Tracer },
): PixOrders {
  const { call, close } = createServiceClient({
    url,
    service,
    tracer,
    timeoutMs: 1000, // leaves enough time to send the client a 503 within 2 s
    unavailable: "Payments by Pix can't be checked right now, because orders isn't responding.",
  });
  return {
    getPayment: (id, request) => call(getPixPayment, { params: { id } }, request),
    decide: (statement) => call(recordPixStatement, { body: { statement } }, null),
    close,
  };
}
