import type { Db } from 'mongodb';

/** Who did something, as a page says it. */
export type People = {
  /** `customer 7`, with the name only if names were asked for. */
  describe: (userId: number) => Promise<string>;
  /** Somebody whom a document names itself. */
  describeActor: (actor: { id: number; name: string; role: string }) => string;
  /** What a person has written, or how long it is. */
  quote: (text: string) => string;
};

/** Without names, nothing that a guest has written is shown either: it may name somebody, or an illness. */
export function createPeople(auth: Db, { withNames }: { withNames: boolean }): People {
  const named = (name: string): string => (withNames ? ` (${name})` : '');
  const known = new Map<number, Promise<string>>();

  async function find(userId: number): Promise<string> {
    if (userId === 0) return 'the restaurant';
    const [user, guest] = await Promise.all([
      auth.collection('usuarios').findOne({ usuarioID: userId }, { projection: { nome: 1, papel: 1, status: 1 } }),
      auth.collection<{ _id: number; name: string }>('guests').findOne({ _id: userId }),
    ]);
    if (user) {
      const status = user['status'] === 'active' ? '' : `, ${String(user['status'])} now`;
      return `${String(user['papel'])} ${userId}${named(String(user['nome']))}${status}`;
    }
    return guest
      ? `guest ${userId}${named(guest.name)}`
      : `user ${userId}, who is not in ${auth.databaseName} any more`;
  }
  return {
    describe: (userId) => {
      const found = known.get(userId) ?? find(userId);
      known.set(userId, found);
      return found;
    },
    describeActor: ({ id, name, role }) => `${role} ${id}${named(name)}`,
    quote: (text) => (withNames ? JSON.stringify(text) : `${text.length} characters`),
  };
}
