const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Every bound of the engine, each with its reason. What goes over one is refused with an error that names it.
 * Lengths are milliseconds, sizes bytes.
 */
export const LIMITS = {
  /** Keeps a replay under a second, and the fold of a journal in a few megabytes. */
  operationsPerExecution: 25_000,
  /** Below the 2 MB that Durable Objects allow for a row, with room for the row's own framing. */
  rowBytes: MIB,
  /** Values above it leave the journal rows for the `blobs` table, so that reading the journal stays cheap. */
  inlineValueBytes: 64 * KIB,
  /** One row of `blobs`. */
  blobPartBytes: MIB,
  /**
   * A page of a journal that is copied: rows in UTF-16 units, parts of large values by their number. Far below the
   * 32 MiB that the platform allows for a message between objects.
   */
  copyPageLength: 4 * MIB,
  copyPageParts: 4,
  /** A page of a journal that is read, in UTF-16 units: it is full with the entry that reaches this. As far below. */
  journalPageLength: 4 * MIB,
  /** Default bound of one value; an isolate has 128 MB for all of its objects. */
  valueBytes: 8 * MIB,
  /** Highest bound a deployment may set with `maximumValueBytes`. */
  valueBytesCeiling: 16 * MIB,
  /** The rows of one journal without its blobs: what a replay holds in memory. */
  journalBytes: 32 * MIB,
  /** Signals that nobody has read yet. */
  bufferedSignals: 10_000,
  bufferedSignalBytes: 32 * MIB,
  /** Names are part of keys, links and log lines. */
  workflowNameLength: 64,
  signalNameLength: 128,
  stepNameLength: 128,
  executionIdLength: 128,
  /** Keys are journaled with their signals. */
  idempotencyKeyLength: 256,
  versionLength: 64,
  patchIdLength: 128,
  /** Attributes stand in every view and in every list of executions. */
  attributes: 20,
  attributeNameLength: 64,
  attributeLength: 256,
  /** More are queued: an isolate has 128 MB, and an object 10,000 timers. */
  concurrentAttempts: 1_000,
  /** The most that `maximumAttempts` may be. Where only a duration bounds a step, its attempts end with the journal. */
  attemptsPerStep: 1_000,
  /** A wait beyond a year is a mistake more often than a plan; the platform's alarms end in 2189. */
  waitMs: 365 * DAY_MS,
  /** As waits: from the request to the first run of the code, and from there to the deadline. */
  startDelayMs: 365 * DAY_MS,
  deadlineMs: 365 * DAY_MS,
  initialIntervalMs: HOUR_MS,
  maximumIntervalMs: DAY_MS,
  backoffCoefficient: 100,
  stepDurationMs: 365 * DAY_MS,
  /** Default bound of `Retry-After`; a deployment may raise it to `retryAfterCeilingMs`. */
  retryAfterMs: HOUR_MS,
  retryAfterCeilingMs: 365 * DAY_MS,
  attemptTimeoutMinimumMs: SECOND_MS,
  /** Below the 15 minutes for which the platform lets an object wait for a request. */
  attemptTimeoutMs: 10 * MINUTE_MS,
  attemptTimeoutDefaultMs: MINUTE_MS,
  retentionMinimumMs: HOUR_MS,
  retentionMs: 365 * DAY_MS,
  retentionDefaultMs: 7 * DAY_MS,
  /** Redirects that one attempt of `step.fetch` follows: as many as the Fetch standard allows. */
  redirects: 20,
  /** What is kept of the body of a refusal: it is for decisions, not for freight. */
  refusalBodyBytes: 64 * KIB,
  /**
   * How long the body of a refusal may take after its head: no longer than the shortest timeout of an attempt, so that
   * a service that dawdles does not turn its own `Retry-After` into a timeout.
   */
  refusalBodyMs: SECOND_MS,
  failureMessageBytes: 8 * KIB,
  failureCodeBytes: 128,
  reasonBytes: KIB,
  causeDepth: 8,
  /** Nobody settles anything and nothing is open: the workflow waits for something outside the engine. */
  stallMs: 10 * SECOND_MS,
  /** Run attempts where the policy bounds none. */
  runAttempts: 20,
  /** Deaths of an object in a row, without a clean wait, before the execution is paused. */
  crashesInARow: 10,
  /** After a death: how long a step that died once holds back others when it starts again. */
  suspicionMs: SECOND_MS,
  leaseFirstMs: SECOND_MS,
  leaseMs: 30 * SECOND_MS,
  /** Longest time between two tries of an execution whose storage fails. */
  storageRetryMs: MINUTE_MS,
  /** Between two looks whether an engine has been deployed that can read the journal. */
  unreadableRetryMs: HOUR_MS,
  /** An alarm handler hands over to the next alarm after this long, or after this many attempts. */
  wakeMs: 10 * MINUTE_MS,
  attemptsPerWake: 500,
  /**
   * Messages to other executions that are under way at once: each may hold a value of the largest size, and the
   * platform bounds what one event may call.
   */
  deliveriesInFlight: 32,
  /** How long one of them may take: longer than a burst in the other object, which answers between its turns. */
  deliveryMs: 30 * SECOND_MS,
  /** Failed deliveries of one message in a row before the execution is paused: a quarter of an hour. */
  deliveryAttempts: 20,
  deliveryRetryFirstMs: SECOND_MS,
  deliveryRetryMs: MINUTE_MS,
  /** Of an execution that has ended, and cannot be paused: each failure is an entry, and its journal must not grow fast. */
  deliveryRetryEndedMs: HOUR_MS,
  /** Acknowledgements that nothing waits for are journaled together. Those that are lost with memory are sent again. */
  acknowledgementsHeld: 100,
  /** An awaited execution tells its end; it is asked all the same, in case that is lost. */
  askFirstMs: MINUTE_MS,
  askMs: DAY_MS,
  /** Executions that wait for the end of one, besides its parent: all of them are told before it is purged. */
  watchers: 10_000,
  /** How long the directory may take for a report. Nothing of the execution waits for it. */
  reportMs: 10 * SECOND_MS,
  /** Between two reports that say only whether an execution runs or waits, and before the first that it runs. */
  stateReportMs: 10 * SECOND_MS,
  /** Each failed report of what the directory has to know is an entry. Up to half of the delay is drawn off. */
  reportRetryFirstMs: MINUTE_MS,
  reportRetryMs: HOUR_MS,
  /** Between two tries of a purge of which the directory must know first; up to half of it is drawn off. */
  purgeRetryMs: HOUR_MS,
  /** The objects of a directory: each list and each count asks all of them. */
  directoryShards: 32,
  /** Executions in one page of a list. */
  listPage: 100,
  /** What one page looks at, where the filter finds little: a few milliseconds. */
  listExamined: 10_000,
  /** Up to so many that have the prefix of an id are sorted. */
  listSorted: 1_000,
  /** Between two looks of the directory for what it may know wrongly. */
  sweepMs: HOUR_MS,
  /** Executions that are asked in one wake of the directory, and at once. */
  sweepAsks: 500,
  sweepAsksAtOnce: 20,
  /** How long the directory believes that an execution runs, or anything else that can change. */
  believedRunningMs: HOUR_MS,
  believedMs: DAY_MS,
  /** All of them are looked at whenever one is due. */
  schedules: 100,
  scheduleNameLength: 64,
  /** Starts of one schedule that are decided and not acknowledged; also the most that are made up for at once. */
  pendingStarts: 100,
  /** A time that is seen so late was not missed: the platform's alarms may be a minute late. */
  scheduleLatenessMs: 2 * MINUTE_MS,
  /** How long the state of a schedule is kept that is not deployed any more. */
  removedScheduleMs: 7 * DAY_MS,
  /** Longest time until the scheduler looks whether other schedules have been deployed. */
  schedulerLookMs: HOUR_MS,
  /** How long a trigger waits for the execution's answer before it says that the start is still to come. */
  triggerWaitMs: 20 * SECOND_MS,
  /** How long a list waits for the ends of executions that it shows. */
  scheduleListMs: 5 * SECOND_MS,
  /** Longest `Prefer: wait`. */
  requestWaitMs: MINUTE_MS,
  /** Those who watch one execution at a time: each entry is sent to all of them. */
  viewers: 256,
  /** Between two comments on a stream of events: below the idle timeouts of what stands between. */
  eventCommentMs: 15 * SECOND_MS,
  /** One chunk of a stream of events; it may go over it by one entry. In UTF-16 units. */
  eventChunkLength: 64 * KIB,
  /** A viewer who has taken nothing for so long, although there is something, is dropped. */
  slowReaderMs: 30 * SECOND_MS,
  /** What one WebSocket may be sent beyond what its viewer has acknowledged; it may go over it by one entry. */
  unacknowledgedBytes: MIB,
  /** The same of all WebSockets of an object together: a share of the 128 MB of an isolate. */
  unacknowledgedBytesOfAll: 32 * MIB,
  /** Texts of entries that are kept for the next viewer who wants the same. In UTF-16 units. */
  shownEntriesLength: MIB,
  /** Frames of one viewer that are being answered. */
  framesInFlight: 32,
  /** Commands and signals of one viewer in a window: a hand at a dashboard needs few, a program has the HTTP interface. */
  commandsPerWindow: 100,
  /** Frames of any kind: more close the WebSocket. A viewer may acknowledge every entry by itself. */
  framesPerWindow: 10_000,
  frameWindowMs: 10 * SECOND_MS,
  /** A signed-in browser: a working day, after which its cookie is worth nothing. */
  sessionMs: 12 * HOUR_MS,
  /** Names of frames go back with their answers. */
  frameIdLength: 128,
} as const;
