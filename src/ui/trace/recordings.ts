/** What is served beside the page to be opened: which file, what it shows, where it was measured. public/recordings/README.md says how. */

export interface RecordingEntry {
  /** In the address: '#/trace?recording=ID'. */
  readonly id: string
  readonly file: string
  readonly title: string
  /** One sentence, no figures: those are in the file. */
  readonly shows: string
  readonly by: 'lab' | 'torch'
}

const lab = (id: string, title: string, shows: string): RecordingEntry => ({
  id,
  file: `${id}.hdl.gz`,
  title,
  shows,
  by: 'lab',
})
const torch = (name: string, title: string, shows: string): RecordingEntry => ({
  id: `torch-${name}`,
  file: `torch-${name}.json.gz`,
  title,
  shows,
  by: 'torch',
})

export const RECORDINGS: readonly RecordingEntry[] = [
  torch(
    'sync-stalls-stalled',
    'Stalled by .item()',
    'A product a step, its value read after each: the stream runs dry while the host waits.',
  ),
  torch(
    'sync-stalls-mended',
    'The same, mended',
    'The same products, nothing read until the end: the gaps are those between queued launches.',
  ),
  torch(
    'async-submission-awaited',
    'Each product awaited',
    'The host synchronises after every launch, and the device waits for the next.',
  ),
  torch('async-submission-queued', 'All products queued', 'The host runs ahead and waits once.'),
  torch(
    'overlapped-uploads-pageable',
    'Uploads from pageable memory',
    'The driver stages the bytes first, and every copy makes the host wait.',
  ),
  torch(
    'overlapped-uploads-pinned',
    'Uploads from pinned memory',
    'Copies by the device itself, on the stream of the products: one after the other.',
  ),
  torch(
    'overlapped-uploads-overlapped',
    'Uploads on a second stream',
    'Copies and products at the same time, on two streams of one device.',
  ),
  lab('sync-stalls', 'Sync stalls', 'Reading results back after every step, after some and after none.'),
  lab(
    'async-submission',
    'Asynchronous submission',
    'When submit() returns, when the device starts, and when the host hears of it.',
  ),
  lab('overlapped-uploads', 'Overlapped uploads', 'Staging rings of several depths between host and device.'),
  lab(
    'worth-it',
    'Is the device worth it?',
    'The same products by the processor and by the device, transfers included.',
  ),
  lab(
    'kernel-ladder',
    'Kernel ladder',
    'One product by kernel after kernel, each faster than the last or not.',
  ),
]

export const BY = {
  torch: 'torch.profiler, as it wrote them: PyTorch 2.11, CUDA 13.0, NVIDIA H200',
  lab: 'Whole runs of the lab’s experiments: Chromium, WebGPU over Vulkan, NVIDIA H200',
} as const

export const findRecording = (id: string): RecordingEntry | undefined =>
  RECORDINGS.find((entry) => entry.id === id)
