/** A word that this repository does not use, because a textbook or the library's documentation has a better one. */
export type BannedWord = {
  /** What to say instead. */
  say: string;
  /** Words, and phrases with hyphens. `let-go` stands for `letGo`, `let-go`, `let_go` and `let go`. */
  phrases?: readonly string[];
  /** For what a phrase can't express: a regular expression for one line. */
  patterns?: readonly RegExp[];
  /**
   * - `everywhere` (default): file names, code, comments, strings and documents
   * - `names`: file names and identifiers
   * - `prose`: comments, strings and documents
   * - `paths`: file names
   */
  where?: 'everywhere' | 'names' | 'prose' | 'paths';
  /** Globs of the files to search; all files by default. */
  files?: readonly string[];
  except?: readonly { glob: string; reason: string }[];
  /** Lines in which the word must be found, and lines in which it must not be found. */
  examples: { banned: readonly string[]; allowed?: readonly string[] };
};

export const bannedWords: readonly BannedWord[] = [
  // Orders
  {
    say: 'OrderWriter (orders), Deps (auth-stepup)',
    phrases: ['desk', 'desks'],
    examples: { banned: ['const orderDesk = 1;', 'createDesk()', 'ORDER desk', 'the desks'], allowed: ['desktop'] },
  },
  {
    say: 'OrderLocation (table and seating), ListenOptions, ParamIn, RingPosition, slot',
    where: 'names',
    patterns: [
      /(?<![.\w])[Pp]laces?(?!(?::| =) (?:async )?\()(?=\s*[:,;=)}\].|>]|\?[.:]|\[)/,
      /\.[Pp]laces?\b(?!\()/,
      /\bplaces?(?=(?!(?:Orders?|Many|Each|All|An?|The|One|Until|In|At|For|From|With|Again)(?![a-z]))[A-Z])\w*/,
      /\b(?!takes?Place\b)(?:[a-z]\w*)(?<=[a-z0-9])Places?\b(?!\()/,
      /\b(?:type|interface) [A-Za-z]*Places?\b/,
    ],
    examples: {
      banned: [
        'const place = 1;',
        'order.place.table',
        'type Place = {};',
        'placeOf(order)',
        'ringPlace + 1',
        '{ places }',
      ],
      allowed: [
        'place: (order) => 1',
        'const place = async () => 1',
        'placeInSequence()',
        'placeOrder(deps, input);',
        'export function placeOrder() {}',
        'writer.place(order);',
        'placedBy',
      ],
    },
  },
  {
    say: 'location (table and seating), address, position, slot',
    where: 'prose',
    patterns: [
      /\b(?:[Aa]|[Tt]he|[Ii]ts|[Tt]heir|[Ss]ame|[Tt]h(?:is|at)|[Oo]ther|[Ee]ach|[Nn]o|[Aa]ny|[Ff]ree|[Ff]irst|[Ll]ast|\d+) (?!order)places?\b(?! (?:an?|the|to|orders?) )/,
    ],
    examples: {
      banned: ['// in the same place', '/** Two have 2 places. */'],
      allowed: ['// A waiter places an order.', '// Place the order again.', '// truncated in place'],
    },
  },
  {
    say: 'originalLocation: only dates end in At',
    phrases: ['placed-at'],
    where: 'names',
    examples: { banned: ['placedAt: OrderLocation;'], allowed: ['placedBy: user;'] },
  },
  {
    say: 'updateOrder (the status), moveOrder (the table)',
    phrases: ['move-order-to'],
    where: 'names',
    examples: { banned: ['moveOrderTo(deps);'], allowed: ['moveOrder(deps);'] },
  },
  {
    say: 'the name of the event: orderPlacedEvent, orderMovedEvent',
    patterns: [/\brecordPlaced?\b/],
    where: 'names',
    examples: { banned: ['recordPlaced(order);', 'recordPlace(order);'], allowed: ['recordedEvents();'] },
  },
  {
    say: 'viewerRole',
    phrases: ['standing'],
    except: [
      { glob: 'packages/client/**', reason: 'FeedStanding is part of the public API of the client' },
      { glob: 'apps/**', reason: 'FeedStanding is part of the public API of the client' },
      { glob: 'docs/guides/**', reason: 'FeedStanding is part of the public API of the client' },
    ],
    examples: { banned: ['const standing = 1;'], allowed: ['outstanding'] },
  },
  {
    say: 'ChangeContext',
    patterns: [/(?:\b(?:type|interface)|[:<|&,])\s*By\b/],
    where: 'names',
    examples: { banned: ['type By = {};', '(by: By) => 1'], allowed: ['orderBy(x);'] },
  },
  {
    say: 'restaurant or business (business code), stack or TestEnv (scripts and tests)',
    phrases: ['house', 'houses'],
    examples: { banned: ['createHouseDay()', '// the whole house', 'startBenchHouse()'], allowed: ['warehouse'] },
  },

  // Transfers
  {
    say: 'TransferCommand',
    phrases: ['wish', 'wishes', 'wished'],
    examples: { banned: ['type Wish = {};', 'wishes.map(post)'] },
  },
  { say: 'executeTransferOnce', phrases: ['post-once'], examples: { banned: ['postOnce(deps);', 'post-once'] } },
  {
    say: 'applyTransfer',
    patterns: [/\bdecide(?:[A-Z]\w*)?(?=\()/],
    where: 'names',
    files: ['services/transfers/**'],
    examples: { banned: ['decide(stock);', 'decideTransfer(stock);'], allowed: ['decidedOf(rows);'] },
  },
  {
    say: 'entry, as in the API',
    phrases: ['leg', 'legs'],
    examples: { banned: ['type Leg = {};', 'transfer.legs', '// both legs'], allowed: ['legal', 'isLegal'] },
  },
  {
    say: 'IdempotentRequest, requestFingerprint',
    phrases: ['keyed-call', 'keyed-calls'],
    patterns: [/[Cc]allHash/],
    examples: { banned: ['type KeyedCall = 1;', 'const callHash = 1;'], allowed: ['call_hash: hash'] },
  },
  {
    say: 'transferPostedEvent, log, publish or send',
    phrases: ['tell', 'tells', 'told'],
    where: 'names',
    examples: { banned: ['const tell = 1;', 'house.allTold();'], allowed: ['intelligence'] },
  },

  // Concurrency
  {
    say: 'keyedMutex (orders, transfers), p-limit (notifier)',
    phrases: ['turns', 'create-turns'],
    where: 'names',
    examples: { banned: ['createTurns()', 'turns.take(1);'], allowed: ['returns = 1;', '// It returns one.'] },
  },
  {
    say: 'publishNow, wake, drainBody, removeDeadInstances, patchMongoDriver',
    phrases: [
      'nudge',
      'nudges',
      'nudged',
      'rouse',
      'rouses',
      'let-go',
      'bury',
      'buries',
      'buried',
      'mend',
      'mends',
      'mended',
    ],
    examples: {
      banned: ['nudge();', 'rouse()', 'letGo(body)', 'buryTheDead()', 'mendDriver()', '// Mend the fields'],
      allowed: ['arouse', 'recommend', 'amended'],
    },
  },
  {
    say: 'timeLimit or deadline',
    patterns: [/\bwithin\(/, /\b(?:const|function) within\b/, /\b[Pp]atience\b/],
    where: 'names',
    examples: { banned: ['within(100, call);', 'const patience = 5;'], allowed: ['isWithinLimit();'] },
  },
  {
    say: 'max…: maxAttempts, maxBytes',
    patterns: [/\bmost[A-Z]\w*/],
    where: 'names',
    examples: { banned: ['const mostCalls = 1;'], allowed: ['almost', 'utmostCare'] },
  },

  // Gateway
  {
    say: 'middleware, handle-request, RequestState, local-routes',
    phrases: ['door', 'doors', 'gate', 'gates', 'passage', 'passages'],
    examples: {
      banned: ['openDoor()', '// both doors', 'gate.open()', 'const passage = 1;'],
      allowed: ['gateway', 'aggregate', 'createGateway()', 'GATEWAY_PORT'],
    },
  },
  {
    say: 'ProxiedRequest, sendRequest (exchange is for AMQP)',
    phrases: ['exchange', 'exchanges'],
    where: 'names',
    files: ['services/gateway/src/**'],
    examples: { banned: ['const exchange = 1;'] },
  },
  {
    say: 'local-routes',
    patterns: [/\bpages\b/],
    where: 'paths',
    files: ['services/gateway/src/**'],
    examples: { banned: ['pages'] },
  },
  {
    say: 'api-docs',
    patterns: [/\bdocuments\b/],
    where: 'paths',
    files: ['services/gateway/**', 'packages/*/src/**'],
    examples: { banned: ['documents/serve-documents'] },
  },
  {
    say: 'use case or handler',
    phrases: ['story', 'stories'],
    examples: { banned: ['// the story of a call', 'const stories = 1;'], allowed: ['history', 'orderHistory'] },
  },

  // Notifier
  {
    say: 'FeedConnection',
    phrases: ['screen', 'screens'],
    files: ['services/notifier/**', 'packages/testing/**'],
    examples: { banned: ['createScreen()', '// each screen'], allowed: ['screenshot'] },
  },
  {
    say: 'socket types',
    phrases: ['wire'],
    where: 'names',
    examples: { banned: ['toWireOrder(order)'], allowed: ['// on the wire', 'wired = true;'] },
  },

  // Users, PIN and step-up
  {
    say: 'users',
    phrases: ['people', 'person', 'persons'],
    where: 'names',
    examples: { banned: ['const people = 1;', 'addPerson()'], allowed: ['// for people', 'impersonate()'] },
  },
  {
    say: 'start-guest-session',
    phrases: ['be-guest'],
    except: [
      { glob: 'packages/contracts/src/users.ts', reason: 'beGuest is the operation name that clients use' },
      { glob: 'packages/client/src/*.ts', reason: 'beGuest is the operation name that clients use' },
      { glob: 'apps/**', reason: 'beGuest is the operation name that clients use' },
      { glob: 'test/examples.test.ts', reason: 'beGuest is the operation name that clients use' },
    ],
    examples: { banned: ['beGuest(deps)', 'be-guest.ts'] },
  },
  {
    say: 'pin/ or step-up/',
    patterns: [/\/consent\//],
    where: 'paths',
    files: ['services/*/src/**'],
    examples: { banned: ['services/auth-stepup/src/consent/check-pin.ts'] },
  },
  {
    say: 'assertPinUsable, clearFailures, recordSecurityEvent',
    patterns: [
      /(?<![\w.])(?:admit|calm|note)(?=\(|: \()/,
      /\.(?:admit|calm|note)\(/,
      /\b(?:const|function) (?:admit|calm|note)\b/,
    ],
    where: 'names',
    examples: { banned: ['admit(pin);', 'store.calm(user)', 'note: (line) => 1'], allowed: ['notes.push(1);'] },
  },
  {
    say: 'minPinVersion',
    patterns: [/(?<!Math\.)\b[Ff]loors?\b/, /[a-z]Floor\b/, /\bfloor[A-Z]\w*/],
    examples: { banned: ['const floor = 1;', '// the floor of versions', 'pinFloor'], allowed: ['Math.floor(1.5)'] },
  },
  {
    say: 'issue: issueStepUpToken, issueAccessToken',
    phrases: ['mint', 'mints', 'minted', 'minting'],
    examples: { banned: ['mintToken()', '// minted by'], allowed: ['minTime'] },
  },

  // Stores
  {
    say: 'a name without -store: *-document.ts (mappers), *-query.ts (queries). Only users of a driver are stores',
    patterns: [/\b[a-z-]*-(?:document|page)-store\b/, /\busuarios-store\b/, /\b(?:repeated-)?transaction-store\b/],
    where: 'paths',
    examples: { banned: ['order-document-store', 'usuarios-store', 'order-page-store'], allowed: ['order-store'] },
  },

  // Scripts and tests
  { say: 'reaper', phrases: ['guardian', 'guardians'], examples: { banned: ['startGuardian()', '// the guardian'] } },
  {
    say: 'shutdownSignal or interrupt',
    phrases: ['interruption', 'interruptions'],
    examples: { banned: ['interruption()'], allowed: ['interrupted = true;'] },
  },
  {
    say: 'ephemeral',
    phrases: ['throw-away', 'throws-away', 'throwaway', 'thrown-away'],
    examples: { banned: ['startThrowAwayServers()', 'data that is thrown away'], allowed: ['throw error;'] },
  },
  {
    say: 'clients or load',
    patterns: [
      /\bhands?\b(?=\s*[:,=;)}\]])/,
      /\b(?:[Tt]he|[Oo]f|[Bb]y|[Mm]any|[Mm]ore|\d+) hands\b/,
      /(?<![A-Za-z])[Hh]ammer(?:s|ed|ing)?(?![a-z])/,
    ],
    examples: {
      banned: ['{ hands, seconds }', '// from 64 hands', 'hammer(url)'],
      allowed: ['// hands the body to the parser', 'handshake = 1;', 'const handler = 1;'],
    },
  },
  {
    say: 'the service, the account or the restaurant',
    phrases: ['the-bank'],
    examples: { banned: ['// the bank pays', 'theBank.pay()'], allowed: ['// a bank transfer'] },
  },
  {
    say: 'run, instance, restart or kill (for processes)',
    phrases: ['life', 'lives', 'death', 'deaths'],
    where: 'names',
    examples: { banned: ['const secondLife = 1;', 'deaths += 1;'], allowed: ['lifetime = 1;', 'livez();'] },
  },
  {
    say: 'run, instance, restart or kill (for processes)',
    patterns: [/\b(?:[Ff]irst|[Ss]econd|[Nn]ext|[Ll]ast|[Oo]ne|[Tt]wo|[Ee]ach|[Aa]) (?:life|lives|death|deaths)\b/],
    where: 'prose',
    examples: { banned: ["{ what: 'the second life' }"], allowed: ['// Tokens have a lifetime.'] },
  },
  {
    say: 'what the value is: logged, messages, expected',
    patterns: [
      /\b(?:const|let|var) (?:told|said|known|one|some|named)\b/,
      /\b(?:const|let|var) [{[](?:[^=]*[,{[:] ?)?(?:told|said|known|one|named)\b(?!:)/,
    ],
    where: 'names',
    examples: { banned: ['const said = [];', 'const { code, said } = run();'], allowed: ['list.some(Boolean);'] },
  },
  {
    say: 'is available, runs, exists',
    patterns: [
      /\b(?:[Nn]obody|[Ss]omebody|[Nn]o one) is (?:not )?there\b/,
      /\b(?:is|are) (?:all |not )?there (?:after|again|already|now)\b/,
    ],
    where: 'prose',
    examples: {
      banned: ['// nobody is there', '// the servers are there after 5 s'],
      allowed: ['// if there is no order'],
    },
  },
  {
    say: 'plain English: what is wrong, what is allowed, what to do next',
    patterns: [
      /\bis no (?:JSON|HTTP|UUID|URL|tunnel|token|number|date|order|cursor)\b/,
      /\b(?:is|are|was) not to be had\b/,
      /\bwhere there is none\b/,
      /\bstands twice\b/,
      /\bthat there is not\b/,
      /\bis missing or none\b/,
    ],
    where: 'prose',
    examples: {
      banned: ["'What comes is no JSON.'", '// null where there is none', "'It is not to be had.'"],
      allowed: ["'Body must be JSON.'", '// Returns null if no such order exists.'],
    },
  },
];
