import {
  claimAccountPayment,
  getAccountPayment,
  settleAccountPayment,
  type AccountPayment,
} from '@comanda/contracts/internal';
import type { BodyOf } from '@comanda/contracts/endpoint';
import { createServiceClient, type UserRequest } from '@comanda/shared/http/service-client';
import type { ServiceIdentity } from '@comanda/shared/http/service-signature';
import type { Tracer } from '@comanda/shared/tracing/tracer';

/**
 * Calls to the orders service. A call throws the problem in the response, or 503 `service_unavailable` if there is no response.
 */
export type Orders = {
  getPayment: (id: number, request: UserRequest) => Promise<AccountPayment>;
  claim: (id: number, claim: BodyOf<typeof claimAccountPayment>, request: UserRequest) => Promise<AccountPayment>;
  settle: (id: number, statement: string) => Promise<AccountPayment>;
  close: () => void;
};

export function askOrders(url: string, { service, tracer }: { service: ServiceIdentity; tracer: Tracer }): Orders {
  const { call, close } = createServiceClient({
    url,
    service,
    tracer,
    timeoutMs: 1000, // leaves enough time to send the client a 503 within 2 s
    unavailable: "Bills can't be paid from an account right now, because orders isn't responding.",
  });
  return {
    getPayment: (id, request) => call(getAccountPayment, { params: { id } }, request),
    claim: (id, claim, request) => call(claimAccountPayment, { params: { id }, body: claim }, request),
    settle: (id, statement) => call(settleAccountPayment, { params: { id }, body: { statement } }, null),
    close,
  };
}
