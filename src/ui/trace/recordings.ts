/**
 * What is served beside the page to be opened: a run of each experiment, and the profiles that stand beside lessons.
 * public/recordings/README.md says how they were made.
 */
import { experiments } from '../../experiments/catalog'
import { cudaProfiles } from '../../lessons/cuda-profiles'

export interface RecordingEntry {
  /** In the address: '#/trace?recording=ID'. */
  readonly id: string
  readonly file: string
  readonly title: string
  /** One sentence, no figures: those are in the file. Inline markup. */
  readonly shows: string
  readonly by: 'lab' | 'torch'
}

export const RECORDINGS: readonly RecordingEntry[] = [
  ...cudaProfiles.map(({ file, title, does }): RecordingEntry => ({
    id: file.replace(/\.json\.gz$/, ''),
    file,
    title,
    shows: does,
    by: 'torch',
  })),
  ...experiments.map(({ id, title, question }): RecordingEntry => ({
    id,
    file: `${id}.hdl.gz`,
    title,
    shows: question,
    by: 'lab',
  })),
]

export const BY = {
  torch: 'torch.profiler, as it wrote them: PyTorch 2.11, CUDA 13.0, NVIDIA H200',
  lab: 'Whole runs of the lab’s experiments: Chromium, WebGPU over Vulkan, NVIDIA H200',
} as const

export const findRecording = (id: string): RecordingEntry | undefined =>
  RECORDINGS.find((entry) => entry.id === id)
