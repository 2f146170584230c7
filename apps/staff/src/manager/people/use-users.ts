import { CallFailure, type Client } from '@comanda/client/core';
import type { User } from '@comanda/contracts/users';
import { useEffect, useState } from 'preact/hooks';

export type Users = readonly User[];

/** Returns the newest users; empty until they are loaded. */
export function useUsers(client: Client): Users {
  const [users, setUsers] = useState<Users>([]);
  useEffect(() => {
    let isCurrent = true;
    async function read(): Promise<void> {
      try {
        const found = await client.calls.listUsers({ limit: 200 });
        if (isCurrent) setUsers(found);
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error; // the ids are shown instead of the names
      }
    }
    void read();
    return () => {
      isCurrent = false;
    };
  }, [client]);
  return users;
}
