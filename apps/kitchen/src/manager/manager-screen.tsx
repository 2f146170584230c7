import type { Client } from '@comanda/client';

export function ManagerScreen({ client }: { client: Client }) {
  return <p>{client.who()?.name}</p>;
}
