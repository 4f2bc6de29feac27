/**
 * The one data model: what happened in a run, as plain data. A live run, a recording, an imported
 * profile and a test fixture look alike. Columns, not objects: a trace of 10^6 spans must load and
 * cross threads without a copy per span.
 *
 * Times. A lane belongs to a clock domain. Host lanes hold nanoseconds since `originMs` of the host
 * clock. Device lanes hold raw device ticks since `originTick`: they are NEVER converted in place.
 * `clock.ts` fits a map from the snapshots and `place.ts` applies it when the trace is read, so a
 * better fit moves old spans too.
 */
import type { FileHeader } from './file-shape'

/**
 * Bumped when a saved trace would be misread by an older reader; see CHANGELOG.md beside this file.
 */
export const TRACE_VERSION = 4

/** Kinds of spans. The numbers are saved in files: append, never reorder. */
export const SPAN_KINDS = [
  'host-work', // JavaScript at work: filling, computing
  'encode', // host: recording a command buffer
  'submit', // host: inside queue.submit()
  'host-wait', // host: awaiting the device (mapAsync, onSubmittedWorkDone)
  'queued', // queue lane: from submit() called to completion reported
  'staging-free', // staging lane: unmapped, at nobody's disposal until mapAsync is called
  'staging-mapping', // staging lane: mapAsync called, not yet resolved
  'staging-mapped', // staging lane: mapped, host may write, nothing written yet
  'staging-filled', // staging lane: host is writing, or has written and not yet unmapped
  'staging-in-flight', // staging lane: unmapped and handed to a submission, until the next mapAsync resolves
  'compute', // device: a compute pass, begin to end by timestamp-query
  'transfer', // device: a copy, bracketed by the passes before and after it (an upper bound)
  'window', // host: one repeat of one variant; the extent that metrics are taken over
  'other',
  'collective', // device, of Gloo the host: communication between ranks; busy, not work, for waiting for the others is in it
  'collective-wait', // within a collective: from its start to the last rank's, known where several ranks are joined
] as const
export type SpanKind = (typeof SPAN_KINDS)[number]
export const spanKindIndex = (kind: SpanKind): number => SPAN_KINDS.indexOf(kind)

/**
 * Roles of spans, written by the recorder that saw the call (or by an importer that knows): nothing
 * is ever inferred from a name. The kind says how a span is drawn and added up; the role tells two
 * of a kind apart. The numbers are saved: append, never reorder.
 */
export const SPAN_ROLES = [
  'none', // not known, or the kind says all
  'encode', // host: createCommandEncoder() to finish()
  'submit', // host: inside queue.submit()
  'fill', // host: from getMappedRange() to unmap() of a buffer mapped for writing
  'read', // host: from getMappedRange() to unmap() of a buffer mapped for reading
  'write', // host: inside queue.writeBuffer()
  'wait-map', // host: awaiting mapAsync() of a buffer to read from
  'wait-done', // host: awaiting onSubmittedWorkDone()
  'compute', // host: a computation of the program's own, marked by it
  'pass', // device: a compute pass
  'render-pass', // device: a render pass
  'copy', // device: a copy between two stamped passes
  'wait-staging', // host: awaiting mapAsync() of a buffer to write into
  'create', // host: inside createBuffer() of a buffer that the host can map
  'wait-batch', // host: awaiting a batch that another thread makes
  'send', // host: from a rank's send() to its end: the other rank has received it
  'recv', // host: from a rank's recv() to its end
  'launch', // host: a call that brings a kernel, a graph, a copy or a memset to a device; without an arrow to one its work is not recorded
  'image', // host: inside queue.copyExternalImageToTexture()
  'texture', // host: inside queue.writeTexture()
  'compile', // host: inside createRenderPipeline() or createComputePipeline()
  'task', // host: a task of its thread, as the browser reports it; what ran in it is not recorded
] as const
export type SpanRole = (typeof SPAN_ROLES)[number]
export const spanRoleIndex = (role: SpanRole): number => SPAN_ROLES.indexOf(role)

/** How a span's edges were obtained. 'inferred' is drawn hatched and named so. */
export const SPAN_SOURCES = ['measured', 'inferred', 'imported'] as const
export type SpanSource = (typeof SPAN_SOURCES)[number]

export type Lane = FileHeader['lanes'][number]
export type LaneKind = Lane['kind']
export type ClockDomain = FileHeader['clocks'][number]

/**
 * Causality bracket, not a point guess: the device began (`beginTick`) after the host called submit
 * (`hostBeforeNs`), and ended (`endTick`) before the host learned of it (`hostAfterNs`). clock.ts
 * fits clocks to them.
 */
export interface ClockSnapshot {
  readonly clock: number
  readonly hostBeforeNs: number
  readonly beginTick: number
  readonly endTick: number
  readonly hostAfterNs: number
}

export const COLUMN_TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const
export type ColumnType = keyof typeof COLUMN_TYPES
/** Over any buffer: a column may have come from another thread or lie inside a file. */
interface ColumnByType {
  readonly u8: Uint8Array
  readonly u16: Uint16Array
  readonly u32: Uint32Array
  readonly i32: Int32Array
  readonly f64: Float64Array
}
export type Column = ColumnByType[ColumnType]
export type TableSpec = Readonly<Record<string, ColumnType>>
export type ColumnsOf<Spec extends TableSpec> = { -readonly [Name in keyof Spec]: ColumnByType[Spec[Name]] }
export type TableOf<Spec extends TableSpec> = Readonly<ColumnsOf<Spec>> & { readonly length: number }

/** Structure of arrays; all of one length. -1 (or NaN for floats) means 'does not apply'. */
export const SPAN_TABLE = {
  lane: 'u16',
  kind: 'u8',
  /** Index into SPAN_ROLES. */
  role: 'u8',
  source: 'u8',
  /** In the lane's clock domain: host ns, or device ticks. */
  start: 'f64',
  end: 'f64',
  /** Index into `strings`. */
  name: 'u32',
  /**
   * Submission id: ties encode, submit, queued, device passes and the wait that learned of it. -1
   * none.
   */
  submission: 'i32',
  /** Index into `strings`; -1 none. */
  variant: 'i32',
  /** Counted from 0; -1 none, -2 warm-up (recorded, never counted). */
  repeat: 'i32',
  step: 'i32',
  /** Line of the variant's program that made the call, counted from 1; -1 not known. */
  line: 'i32',
  /** Bytes moved; NaN none. */
  bytes: 'f64',
  /** Floating-point operations; NaN none. */
  flops: 'f64',
} as const satisfies TableSpec
export type SpanColumns = TableOf<typeof SPAN_TABLE>
export const REPEAT_NONE = -1
export const REPEAT_WARM_UP = -2

/** A value that holds from its time until the next one: queue depth, bytes in flight. */
export interface CounterColumns {
  readonly name: string
  readonly unit: string
  readonly lane: number
  readonly length: number
  readonly timeNs: Float64Array
  readonly value: Float64Array
}

const INSTANT_TABLE = {
  lane: 'u16',
  time: 'f64',
  name: 'u32',
  submission: 'i32',
} as const satisfies TableSpec

/** Causality between two spans (indices into `spans`): submit -> device pass -> awaiting host. */
const FLOW_TABLE = {
  from: 'u32',
  to: 'u32',
  kind: 'u8',
} as const satisfies TableSpec
export const FLOW_KINDS = [
  'submit', // host submit -> device pass
  'sync', // device pass -> host wait that ended because of it
  'upload', // staging filled -> device transfer
  'collective', // the rank that began a collective last -> the same collective on another rank; of a message the later call -> its other end
  'fwdbwd', // operator -> its backward pass, as PyTorch names it
] as const
export type FlowKind = (typeof FLOW_KINDS)[number]

/**
 * Facts of spans of kind 'collective' beyond their times: by span, each at most once. Texts are
 * indices into `strings`; -1 (NaN for floats) where the file does not say. The message's size in
 * bytes is in the span's own column: the larger of what goes in and what comes out, as NCCL's own
 * tests count it. Point-to-point messages (send, recv) have rows too.
 */
export const COLLECTIVE_TABLE = {
  span: 'u32',
  /** 'allreduce', 'broadcast', '_allgather_base': as PyTorch names it. */
  operation: 'u32',
  /** Name of the process group. */
  group: 'i32',
  /** Global ranks of the group: '[0, 1, 2, 3]'. */
  ranks: 'i32',
  /** Type of an element: 'Float', 'BFloat16'. */
  dtype: 'i32',
  /** Number of ranks. */
  groupSize: 'i32',
  /** The other rank of a send or recv. */
  peer: 'i32',
  /** Position among the collectives of its group, as the backend counts them. */
  sequence: 'i32',
  /** Elements of this rank's input and output. */
  elementsIn: 'f64',
  elementsOut: 'f64',
  /**
   * Number of the collective where ranks are joined: rows of one number are the same collective on
   * different ranks.
   */
  match: 'i32',
  /**
   * Wait where ranks are joined, ns: from this rank's start to the last rank's; 0: it was the last.
   */
  waitNs: 'f64',
} as const satisfies TableSpec
export type CollectiveColumns = TableOf<typeof COLLECTIVE_TABLE>

/**
 * Details that a profile recorded of its operators and kernels, by span, each at most once: as the
 * file writes them, in indices into `strings`; −1 where it does not say. Equal texts are one
 * string, so that a row is 16 bytes.
 */
export const DETAIL_TABLE = {
  span: 'u32',
  /** Sizes of an operator's inputs, `[[8,64],[64,64],[]]`; of a kernel its grid, `[32,1,1]`. */
  shape: 'i32',
  /**
   * Types of these inputs, `["float","c10::BFloat16","Scalar"]`; of a kernel its block,
   * `[128,1,1]`.
   */
  form: 'i32',
  /** Inputs of convolutions and attention that are no tensors, `["","","[1, 1]","False"]`. */
  values: 'i32',
} as const satisfies TableSpec

/** The tables that every trace has, in the order of a file. */
export const TABLES = {
  spans: SPAN_TABLE,
  instants: INSTANT_TABLE,
  flows: FLOW_TABLE,
  collectives: COLLECTIVE_TABLE,
  details: DETAIL_TABLE,
} as const
export type TableName = keyof typeof TABLES
export type TraceTables = { readonly [Name in TableName]: TableOf<(typeof TABLES)[Name]> }

/** What the numbers of a column stand for, by table. −1 in a column of type 'i32': nothing. */
export const REFERENCES = {
  spans: {
    lane: 'lanes',
    kind: 'spanKinds',
    role: 'spanRoles',
    source: 'spanSources',
    name: 'strings',
    variant: 'strings',
  },
  instants: { lane: 'lanes', name: 'strings' },
  flows: { from: 'spans', to: 'spans', kind: 'flowKinds' },
  collectives: {
    span: 'spans',
    operation: 'strings',
    group: 'strings',
    ranks: 'strings',
    dtype: 'strings',
  },
  details: { span: 'spans', shape: 'strings', form: 'strings', values: 'strings' },
} as const satisfies Readonly<Record<TableName, object>>

export type RunInfo = FileHeader['info']
export type AdapterSummary = NonNullable<RunInfo['adapter']>
export type Distributed = NonNullable<RunInfo['distributed']>

/** `experiment` of a page that was recorded, which is none of this lab's. Of a profile it is ''. */
export const RECORDED_PAGE = 'page'
/** Lane of such a page: which function ran when, sampled; not its calls. */
export const SCRIPTS_LANE = 'script (sampled)'
/** Counter of such a page: the host's time in callbacks of each frame, at the frame's beginning. */
export const FRAME_CALLBACKS = 'frame callbacks'
/** Counter of such a page: how long before each frame's beginning it was requested, ns. */
export const FRAME_REQUESTS = 'frame requests'
/**
 * Counter of such a page: at the beginning of each timer's callback that submits, the delay that it
 * was set with, ns.
 */
export const TIMER_SUBMITS = 'submits of timers'
/**
 * Counters of such a page: passes that were begun, those without timestamps too, which have no
 * span.
 */
export const COMPUTE_PASSES = 'compute passes'
export const RENDER_PASSES = 'render passes'
/**
 * Key in `derived` of a profile: a step of the program without the profiler, ms, as its file says.
 */
export const UNPROFILED_MS = 'step without profiler, ms'
/**
 * Key in `derived` of a file that is cut: 'at its end', or 'anywhere' where its records are not in
 * the order of time.
 */
export const CUT = 'what is missing'
/** True where variants of an experiment were measured one after the other. */
export const isLabRun = ({ experiment }: Pick<RunInfo, 'experiment'>): boolean =>
  experiment !== '' && experiment !== RECORDED_PAGE

export interface Trace extends TraceTables {
  readonly version: typeof TRACE_VERSION
  readonly info: RunInfo
  readonly clocks: readonly ClockDomain[]
  readonly snapshots: readonly ClockSnapshot[]
  readonly lanes: readonly Lane[]
  readonly strings: readonly string[]
  readonly counters: readonly CounterColumns[]
  /** Timestamps that failed the sanity gate (zero, end < begin, outside the bracket), by reason. */
  readonly rejected: Readonly<Record<string, number>>
}

/** The reason, in `rejected`, of a pass whose stamps are in reverse. */
export const END_BEFORE_BEGIN = 'end before begin'
/** The same of passes and copies that got no timestamps, since all were used up. */
export const NO_SLOT = 'no free timestamp slot'
/** Likewise. */
export const NOT_RESOLVED =
  'pass with timestamps of the page’s own that it took at one end only or did not resolve'

/**
 * Everything since the last chunk, which the worker sends while a run goes on. Indices (strings,
 * spans) continue those of the chunks before, so a receiver appends. A chunk's columns are
 * transferred, not copied.
 */
export interface TraceChunk extends Omit<Trace, 'version' | 'info'> {
  readonly firstSpan: number
  readonly firstString: number
}

/** Moments with a name that the recorded program set itself, in the order of their setting. */
export const marksOf = ({ instants, strings }: Pick<Trace, 'instants' | 'strings'>): readonly string[] =>
  Array.from(instants.name.subarray(0, instants.length), (name) => strings[name] ?? '')

/** The adapter of a trace, as briefly as its source names it; '' where it does not. */
export function adapterNameOf({ adapter }: Pick<RunInfo, 'adapter'>): string {
  const names = [
    adapter?.description,
    adapter?.device,
    [adapter?.vendor, adapter?.architecture].filter(Boolean).join(' '),
  ]
  return names.find((name) => name !== undefined && name !== '') ?? ''
}

/**
 * SwiftShader and llvmpipe run on the CPU. `isFallbackAdapter` says so; older browsers only give
 * the name away.
 */
export const isSoftwareAdapter = (info: AdapterSummary): boolean =>
  info.isFallbackAdapter ||
  /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(
    `${info.vendor} ${info.architecture} ${info.device} ${info.description}`,
  )

/**
 * An adapter for a person; a software adapter is named as such. Browsers keep device and
 * description empty for ordinary visitors: vendor and architecture must do then.
 */
export function nameWithKind(info: AdapterSummary): string {
  const named = info.description || info.device
  const words = [info.vendor, info.architecture]
    .filter(Boolean)
    .map((word) => word.replace(/^./, (letter) => letter.toUpperCase()))
  const name = named || words.join(' ') || 'unnamed adapter'
  if (/swiftshader/i.test(`${named} ${info.architecture}`)) return 'SwiftShader (software, on the CPU)'
  return isSoftwareAdapter(info) ? `${name} (software, on the CPU)` : name
}
