import { ReadConcern, type Db, type MongoClient } from 'mongodb';
import type { Databases } from '../operate/databases.ts';
import { createPeople, type People } from './people.ts';

/** The databases of the services, and who is who. */
export type Stores = { orders: Db; auth: Db; transfers: Db; people: People };

/** What is shown is what a majority of the servers has. */
export function openStores(client: MongoClient, names: Databases, options: { withNames: boolean }): Stores {
  const open = (name: string): Db => client.db(name, { readConcern: new ReadConcern('majority') });
  const auth = open(names.auth);
  return { orders: open(names.orders), auth, transfers: open(names.transfers), people: createPeople(auth, options) };
}
