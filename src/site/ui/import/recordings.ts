/**
 * What is served beside the page to be opened: a run of each experiment, and the profiles that
 * stand beside lessons. public/recordings/README.md says how they were made.
 */
import { findDays } from 'virtual:find-days'
import { libraries } from 'virtual:library-recordings'
import { recordings } from 'virtual:recordings'
import { fail, succeed, type Result } from '../../../base/fault'
import { experiments } from '../../../experiments/catalog'
import type { NamedFile } from '../../import-worker/protocol'
import { recordingAddress } from '../run/load-recording'

interface RecordingEntry {
  /** In the address: 'trace/#?recording=ID'. */
  readonly id: string
  /** Several: of ranks, to be opened together. */
  readonly files: readonly string[]
  readonly title: string
  /** One sentence, no figures: those are in the file. Inline markup. */
  readonly shows: string
  /** A step of it without the profiler, where that was timed and its file doesn't say. */
  readonly stepMs?: number
  readonly by: 'lab' | 'torch' | 'libraries' | 'programs'
}

/**
 * Several ranks; loops without a fault and with one (companion/sync_stalls.py, read_a_profile.py,
 * overlapped_uploads.py); companion/ranks.py on two GPUs.
 */
const TORCH = [
  {
    id: 'torch-nccl',
    title: 'Two of four ranks, with NCCL',
    shows:
      'A matmul, an all-reduce, a broadcast, a gather and a message in each step: most of the time outside the matmul is communication. Both files open together.',
  },
  {
    id: 'torch-sync-stalls-stalled',
    title: 'Matmuls, one read each time',
    shows: 'The host reads a number from each matmul with `.item()` before it launches the next.',
  },
  {
    id: 'torch-sync-stalls-mended',
    title: 'Matmuls, none read',
    shows: 'The host launches all matmuls and waits once.',
  },
  {
    id: 'torch-overlapped-uploads-serial',
    title: 'Uploads, one at a time',
    shows: 'The host waits for the end of each step before it fills the next batch.',
  },
  {
    id: 'torch-overlapped-uploads-ring-2',
    title: 'Uploads through two buffers',
    shows: 'The host fills one pinned buffer while the GPU computes on what came through the other.',
  },
  {
    id: 'torch-read-a-profile-none',
    title: 'A training loop, well fed',
    shows: 'Images and labels from pinned memory, copied on a second stream while the kernels run.',
  },
  {
    id: 'torch-read-a-profile-read',
    title: 'The same loop, with reads',
    shows: 'In every step the host reads how large each gradient is.',
  },
  {
    id: 'torch-nccl-late-rank',
    title: 'Two ranks, one late, with NCCL',
    shows: 'Data-parallel training: rank 1’s host has more to do before each step. Both files open together.',
  },
]

/** Its file, or those of its ranks. */
const filesOf = (id: string): readonly string[] =>
  recordings
    .filter((file) => file.startsWith(id) && /^(-rank\d+)?\.json\.gz$/.test(file.slice(id.length)))
    .toSorted()

export const RECORDINGS: readonly RecordingEntry[] = [
  ...TORCH.map((entry): RecordingEntry => ({ ...entry, files: filesOf(entry.id), by: 'torch' })),
  ...libraries.map(({ id, file, title, does, checked }): RecordingEntry => ({
    id,
    files: [file],
    title,
    shows: `${does} Checked by its page: ${checked}.`,
    by: 'libraries',
  })),
  ...findDays.map(({ name, files, field, stepMs }, at): RecordingEntry => ({
    id: name,
    files: files.map((file) => `profiles/${file}`),
    title: `Profile ${String(at + 1)}`,
    shows: `A program of ${field}${files.length > 1 ? ', two ranks. Both files open together.' : '.'}`,
    stepMs,
    by: 'programs',
  })),
  ...experiments
    .map(({ id, title, question }): RecordingEntry => ({
      id,
      files: [`${id}.hdl.gz`],
      title,
      shows: question,
      by: 'lab',
    }))
    // An experiment that was added is recorded on a GPU later.
    .filter(({ files }) => files.every((file) => recordings.includes(file))),
]

export const BY = {
  torch: 'As torch.profiler wrote them: PyTorch 2.11, CUDA 13.0, NVIDIA H200',
  libraries: 'WebGPU pages of other libraries, each recorded by one command and checked by itself',
  programs:
    'From ‘Find the line’: public models on synthetic data, PyTorch 2.11, NVIDIA H200. Opening one gives its line away',
  lab: 'Whole runs of the lab’s experiments: Chromium, WebGPU over Vulkan, NVIDIA H200',
} as const

/** What stands in no list is opened from the lessons. */
export function findRecording(id: string): Pick<RecordingEntry, 'files' | 'stepMs'> | undefined {
  const files = filesOf(id)
  return RECORDINGS.find((entry) => entry.id === id) ?? (files.length > 0 ? { files } : undefined)
}

/** Rejects where the network fails. @param id of recordings.ts */
export async function fetchRecording(id: string, signal: AbortSignal): Promise<Result<readonly NamedFile[]>> {
  const entry = findRecording(id)
  if (!entry)
    return fail({
      code: 'file',
      message: `There is no recording ‘${id}’.`,
      hint: 'Choose one from the list.',
    })
  const fetched: NamedFile[] = []
  for (const name of entry.files) {
    const response = await fetch(recordingAddress(name), { signal })
    if (!response.ok)
      return fail({
        code: 'file',
        message: `The recording could not be fetched: the server answered ${String(response.status)}.`,
        hint: 'Reload the page.',
      })
    fetched.push({ name, blob: await response.blob() })
  }
  return succeed(fetched)
}
