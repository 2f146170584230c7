// The services' accounts in MongoDB, each with no more rights than it needs. Run this script before the first start, and again
// before each update, because a release may have more collections:
//   mongosh "mongodb://ADMIN@HOST/?replicaSet=main" deploy/rights/mongodb.js
// It prompts for the passwords of new accounts. A service's account can change documents, but no collection, index or validation
// rule; only the account of orders can create collections and indexes, for its archives. The accounts that end in "-prepare" are
// for `dist/prepare.js`.

const read = ['find'];
const append = ['insert'];
const write = ['insert', 'update'];
const remove = ['insert', 'update', 'remove'];

/** The rights that a service has in each collection, in addition to reading all of them. */
const services = [
  {
    service: 'transfers',
    database: 'comanda_transfers',
    collections: {
      accounts: write,
      transfers: write, // only a document's outbox changes; verify-ledger finds any other change
      checkpoints: append,
      bill_payment_attempts: remove,
      pix_charges: write,
      pix_receipts: write,
      pix_marks: remove,
      keys: write,
      counters: write,
      instances: remove,
      preparations: read,
    },
  },
  {
    service: 'auth-stepup',
    database: 'comanda_auth',
    collections: {
      usuarios: write,
      setup: remove,
      sessions: write,
      tables: remove,
      guests: write,
      tablets: remove,
      pin_reset_approvals: append,
      security_events: append,
      audit: append,
      stops: write,
      keys: remove,
      consent_keys: write,
      leases: write,
      counters: write,
      instances: remove,
      preparations: read,
    },
  },
  {
    service: 'orders',
    database: 'comanda_orders',
    // Each month's archive is a separate collection with its own indexes, which the service itself creates.
    collections: { '': [...remove, 'createCollection', 'createIndex'] },
  },
];

const readAll = ['find', 'listCollections', 'listIndexes'];
for (const { service, database, collections } of services) {
  const own = db.getSiblingDB(database);
  const role = {
    roles: [],
    privileges: [
      { resource: { db: database, collection: '' }, actions: readAll },
      ...Object.entries(collections).map(([collection, actions]) => ({
        resource: { db: database, collection },
        actions,
      })),
    ],
  };
  if (own.getRole(service)) own.updateRole(service, role);
  else own.createRole({ role: service, ...role });
  const accounts = {
    [service]: [{ role: service, db: database }],
    [`${service}-prepare`]: [
      { role: 'readWrite', db: database },
      { role: 'dbAdmin', db: database },
    ],
  };
  const admin = db.getSiblingDB('admin');
  for (const [user, roles] of Object.entries(accounts)) {
    // A service has two accounts while you replace its password: see docs/run/upgrade-scale-rotate.md.
    if (admin.getUser(user) || admin.getUser(`${user}-2`)) continue;
    print(`The password of ${user}:`);
    admin.createUser({ user, pwd: passwordPrompt(), roles });
  }
}
