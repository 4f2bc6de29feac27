/**
 * Formats of other profilers, which are not read: by their bytes or their keys, each with the way
 * to a file that is.
 */

const TORCH = 'torch.profiler’s export_chrome_trace()'
const NSIGHT = `Record the same steps with torch.profiler instead, and open what ${TORCH} writes.`

const SQLITE = `This is a SQLite database, as Nsight Systems and rocprofv3 write, which is not supported: ask rocprofv3 for --output-format pftrace. ${NSIGHT}`
const PERFETTO =
  'This is a Perfetto trace (.pftrace, a protobuf), which is not supported: convert it with Perfetto’s `traceconv json FILE trace.json`, and open that.'
const XPLANE =
  'This is XLA’s xplane.pb, which is not supported: open the .trace.json.gz that jax.profiler writes beside it, or record with create_perfetto_trace=True.'
const PICKLE = `This is a pickle, such as torch.cuda.memory._dump_snapshot() writes: a snapshot of memory holds no times of kernels. Open what ${TORCH} writes; snapshots are read by https://docs.pytorch.org/memory_viz.`
const EXECUTION = `This is an execution trace (of PyTorch’s ExecutionTraceObserver, or Chakra’s), a graph without the device’s times: open what ${TORCH} writes of the same run.`
/** Said of a list of lists. */
export const MEMORY_TIMELINE = `This is torch.profiler’s memory timeline, which holds no spans: open what ${TORCH} writes of the same run.`

/** Longest stretch at the file's begin that is looked at. */
const HEAD_BYTES = 2 ** 16

interface Signature {
  readonly bytes: readonly number[]
  readonly at?: number
  readonly message: string
}

const packed = (name: string, command: string): string =>
  `This is packed with ${name}, and only gzip is supported: unpack it with \`${command} FILE\`, and open what comes out.`

const archive = (name: string): string =>
  `This is ${name}: unpack it, and open the traces in it, all ranks of a run at once.`

const codes = (text: string): readonly number[] => Array.from(text, (letter) => letter.charCodeAt(0))

const UTF_16 = 'This is text in UTF-16, as PowerShell’s > writes: save it as UTF-8, and open that.'

const SIGNATURES: readonly Signature[] = [
  { bytes: codes('SQLite format 3\0'), message: SQLITE },
  { bytes: [0x80], message: PICKLE },
  { bytes: codes('PK\x03\x04'), message: archive('a ZIP archive') },
  { bytes: codes('ustar'), at: 257, message: archive('a tar archive') },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], message: packed('zstd', 'unzstd') },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], message: packed('xz', 'unxz') },
  { bytes: codes('BZh'), message: packed('bzip2', 'bunzip2') },
  {
    bytes: [0x1f, 0x8b],
    message: 'This is gzipped twice: unpack it with `gunzip FILE`, and open what comes out.',
  },
  { bytes: [0xff, 0xfe], message: UTF_16 },
  { bytes: [0xfe, 0xff], message: UTF_16 },
  {
    bytes: codes('version https://git-lfs'),
    message: 'This is a pointer of Git LFS, not the file: run `git lfs pull`, and open the file again.',
  },
]

const PROTOBUF_FIRST = 0x0a
const PLANE_NAME = /\/(?:host|device):|Task Environment/

/** What another profiler's file is, in one sentence; null: no known one. */
export function otherFormatOf(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.slice(0, HEAD_BYTES))
  for (const { bytes: wanted, at = 0, message } of SIGNATURES)
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return message
  // Both are a list of messages, the first field of all; a plane of XLA begins with its name.
  if (bytes[0] === PROTOBUF_FIRST && isBinary(head)) return PLANE_NAME.test(head) ? XPLANE : PERFETTO
  // Chakra's protobuf begins with what the run was.
  if (head.slice(0, 64).includes('\u0006schema')) return EXECUTION
  if (/^\s*<(?:!doctype|html)/i.test(head))
    return `This is a page (HTML), as torch.profiler’s export_memory_timeline() and Nsight write: open what ${TORCH} writes.`
  if (isBinary(head))
    return `This is a binary file in no supported format; if it is a report of Nsight Systems (.nsys-rep, .qdrep): ${NSIGHT}`
  return null
}

/** Text has no such bytes; a trace's first bytes are text. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/
const isBinary = (head: string): boolean => CONTROL.test(head.slice(0, 512))

/** Of JSON without trace events: by its keys. */
export function otherJsonOf(keys: ReadonlySet<string>): string | null {
  if (keys.has('rocprofiler-sdk-tool'))
    return `This is rocprofv3’s JSON, which is not supported: ask rocprofv3 for --output-format pftrace and convert it with Perfetto’s \`traceconv json\`, or open what ${TORCH} writes.`
  if (keys.has('workload_graph') || (keys.has('nodes') && keys.has('schema'))) return EXECUTION
  if (keys.has('device_traces') || (keys.has('segments') && keys.has('allocator_settings')))
    return PICKLE.replace('a pickle', 'a snapshot of memory')
  return null
}
