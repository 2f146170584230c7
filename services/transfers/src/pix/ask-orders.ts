import { getPixPayment, recordPixStatement, type PixDecision, type PixPayment } from '@comanda/contracts/pix-internal';
import { Problem } from '@comanda/contracts/problem';
import { createServiceClient, type UserRequest } from '@comanda/shared/http/service-client';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';
import type { Tracer } from '@comanda/shared/tracing/tracer';

/**
 * Calls to the orders service about payments by Pix. A call throws the problem in the response, or 503 `service_unavailable` if
 * there is no response.
 */
export type PixOrders = {
  getPayment: (id: number, request: UserRequest) => Promise<PixPayment>;
  /** Returns null if orders doesn't know the payment, because its database was restored for example. */
  findPayment: (id: number, request: UserRequest) => Promise<PixPayment | null>;
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
  const getPayment: PixOrders['getPayment'] = (id, request) => call(getPixPayment, { params: { id } }, request);
  return {
    getPayment,
    findPayment: (id, request) =>
      getPayment(id, request).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'not_found') return null;
        throw error;
      }),
    decide: (statement) => call(recordPixStatement, { body: { statement } }, null),
    close,
  };
}
