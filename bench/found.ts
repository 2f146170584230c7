type Found = { rows: readonly string[]; text: string };

/** Where the time of a missed target goes, as it was measured, and what was tried. Printed while one of the rows is missed. */
export const found: readonly Found[] = [
  {
    rows: ['order-to-kitchen-p50', 'order-to-kitchen-p99'],
    text:
      'The peer without HTTP and storage needs about 1 ms. The journaled majority insert that an accepted order waits for takes ' +
      '2.7 ms alone; checks, numbers and the transaction around it 2.6 ms, the gateway 1.4 ms, stream and feed 1.9 ms. A ' +
      'transaction takes the numbers, inserts, and commits: three round trips, against one. Numbers ahead of the insert would ' +
      'save one; refused orders would then leave gaps in them.',
  },
  {
    rows: ['order-saturation'],
    text:
      'Both cores are busy. Processor time of an order: orders 281 µs, mongod 151, gateway 140, the clients 124, broker 107, ' +
      'notifier 61. The peer has no mongod and two thirds of orders. In orders 23 % are socket writes, 9 % garbage collection, ' +
      'and nothing else has more than 2 %. Batches of at most 21, 32 and 40 orders were no faster.',
  },
  {
    rows: ['orders-batch-with-portions'],
    text:
      'A batch of 16 takes 10.1 ms: reading and numbers 2.3, the 48 dishes 2.8, the insert 2.2, the commit 2.1, deciding ' +
      'and the rest 0.7. Without the dishes it would still be below 4×. On a day when the peer was 1.53 times as fast as the day ' +
      'before, a batch was 1.14 times as fast, and the ratio fell from 2.44× to 1.87×.',
  },
  {
    rows: ['portions-one-dish'],
    text:
      'The peer depends on the journal and on how soon a conflict is found: 75 to 165 orders/s in these rounds. The day before, ' +
      'at 3,197 orders/s against 56, the same code had 65×.',
  },
  {
    rows: ['transfers-http', 'transfers-http-hot', 'transfers-cpu'],
    text:
      'Processor time of a transfer when it was 1.8 ms in all: transfers 0.8 ms, auth-stepup 0.5, mongod 0.5. Three signatures are verified and one ' +
      'is made, which is a quarter of a millisecond; 13 % of transfers are socket writes, 11 % garbage collection; nothing else is large. ' +
      'On two cores that allows about 1,100 a second, whatever the accounts are.',
  },
  {
    rows: ['ledger-write-path', 'ledger-write-path-hot'],
    text:
      'A batch of 64 took 18 ms before signing began beside writing: reading 128 accounts 3, deciding and signing 4, writing them 4.5, inserting the rows 4.3, ' +
      'the commit 2.6. An index on the time of the last change of an account took 5 ms more, and is gone.',
  },
  {
    rows: ['transfers-two-instances', 'transfers-two-instances-p99'],
    text:
      'Each batch writes about 128 of 10,000 accounts, so two batches at the same time share one with a probability of 0.8: ' +
      'the later one begins again. Both instances also share two cores with mongod and the clients.',
  },
  {
    rows: ['step-up-consume'],
    text: 'The script checks the version of the PIN besides deleting the key: one round trip, and more work in Redis.',
  },
  {
    rows: ['gateway-get', 'gateway-post'],
    text:
      'A profile of POST: 16 % system calls that write, 12 % the text of headers, 12 % undici, 3.5 % garbage collection, ' +
      '2 % checks of headers; the rest is flat. The peer checks neither token, route nor limits. The rate of one proxy differs ' +
      'by up to 1.7 times between its processes: five rounds of the same code two hours earlier gave 1.29 for POST.',
  },
  {
    rows: ['gateway-latency-0-ms', 'gateway-latency-3-ms'],
    text:
      'The rounds of one run differ by up to ten times, because caller, gateway and service share two cores. Five rounds of the ' +
      'same code two hours earlier gave 0.95 ms at a service of 0 ms, and 0.41 ms at 3 ms.',
  },
  {
    rows: ['broadcast', 'many-sockets-p99-5', 'many-sockets-p99-20'],
    text:
      'An event to 10,000 sockets is one frame for all, but a packet of Engine.IO and a system call for each. With a frame for ' +
      'each socket and a system call for each packet, 30 % of the time were these calls and 18 % garbage collection, and the ' +
      'ratio at 5 events a second was 3.8.',
  },
  {
    rows: ['many-sockets-idle', 'many-sockets-memory'],
    text:
      'A socket holds 16 to 20 KB: 9 to 13 of ws, the rest of Engine.IO and Socket.IO. With a frame for each socket and a ' +
      'system call for each packet, 100 events made 1 GB of short-lived objects, which V8 collects late: 777 MB after them. ' +
      'Fewer events in advance, one event a turn, and a larger young generation changed nothing.',
  },
  {
    rows: ['auth-stepup', 'gateway', 'notifier', 'orders', 'transfers'].map((name) => `idle-memory-${name}`),
    text:
      'Of transfers, 62 MB are pages of the program Node, which all services share, and 33 MB the heap of V8; of auth-stepup, ' +
      '62 and 39 MB. Bare Node with the same drivers has 78 MB.',
  },
  {
    rows: ['start-up-first', 'start-up-again'],
    text:
      'The first time: npm ci 18 s, downloading and unpacking the servers 14 s, starting them 5 s (RabbitMQ; MongoDB 2 s, ' +
      'Redis 0.2 s), the five services 5 s, the demo data 11 s, most of it hashes of passwords and PINs. Later: RabbitMQ ' +
      '3.3 s, the services 2.3 s.',
  },
];
