/**
 * Names, meanings and marks of the causes of idle time: the only table of it, for every page, the
 * timeline and the terminal.
 */
import type { GapCause } from './gaps'

export interface CauseWords {
  /** Its name. */
  readonly label: string
  /** Inside a picture of it, where the name would not say what the host does beside it. */
  readonly inPicture?: string
  /** Its meaning in any file, by whatever API: a sentence. */
  readonly means: string
  /**
   * To follow 'Without it': what the replay of a run of the lab's own takes away
   * (analysis/run-gains.ts).
   */
  readonly without?: string
  /** Drawn in the colour of waiting. */
  readonly isHosts: boolean
  /** How its swatches and the parts of its bars are filled. */
  readonly mark: 'dots' | 'solid' | 'lines' | 'tint' | 'dashed'
}

export const CAUSES: Readonly<Record<GapCause, CauseWords>> = {
  'host-waited': {
    label: 'host waited',
    means: 'The host was waiting for a result before it submitted more.',
    without: 'the host awaits no result before its last submit()',
    isHosts: true,
    mark: 'dots',
  },
  'host-late': {
    label: 'host was late',
    means: 'The host was at work and had submitted nothing.',
    without: 'the host’s own work takes no time',
    isHosts: true,
    mark: 'solid',
  },
  'upload-not-ready': {
    label: 'data not ready',
    means: 'The next work waited for its bytes.',
    without: 'the host awaits no staging buffer, no batch and no result before its last submit()',
    isHosts: false,
    mark: 'lines',
  },
  'launch-overhead': {
    label: 'launch overhead',
    means: 'The next work was queued and had yet to start.',
    without: 'what is submitted one by one is submitted at once',
    isHosts: false,
    mark: 'tint',
  },
  unknown: {
    label: 'cause unknown',
    means: 'The file does not show why.',
    isHosts: false,
    mark: 'dashed',
  },
  'rank-waited': {
    label: 'waited for a rank',
    means: 'The host was waiting for another rank, in send(), recv() or another collective.',
    isHosts: true,
    mark: 'dots',
  },
  'not-recorded': {
    label: 'not recorded',
    means: 'Launches here have no recorded work, so whether the device worked is not known.',
    isHosts: false,
    mark: 'dashed',
  },
  'read-back': {
    label: 'reading results back',
    inPicture: 'idle: after a read',
    means:
      'Without the read, this gap would be gone: the host waited for a result, or was catching up after that.',
    isHosts: true,
    mark: 'dots',
  },
  synchronize: {
    label: 'waiting for the GPU',
    means: 'The host waited for the device before it launched more, and read nothing.',
    isHosts: true,
    mark: 'dots',
  },
  'data-loading': {
    label: 'loading data',
    means: 'The host was loading data and had launched nothing.',
    isHosts: true,
    mark: 'solid',
  },
  'host-code': {
    label: 'host code',
    inPicture: 'idle: host at work',
    means: 'The host ran the program’s own code and had launched nothing.',
    isHosts: true,
    mark: 'solid',
  },
  dispatch: {
    label: 'dispatching operators',
    means: 'The host was still dispatching the next operator.',
    isHosts: true,
    mark: 'tint',
  },
  allocation: {
    label: 'allocating memory',
    means: 'The host was allocating or freeing device memory.',
    isHosts: true,
    mark: 'lines',
  },
  'pageable-copies': {
    label: 'copies from pageable memory',
    means: 'A copy to or from pageable memory held up the host, or was staged by the driver first.',
    isHosts: false,
    mark: 'lines',
  },
  'copies-in-line': {
    label: 'copies between kernels',
    means: 'The next kernel waited for a copy, or for the host to prepare it.',
    isHosts: false,
    mark: 'lines',
  },
  'host-callback': {
    label: 'a host callback in a graph',
    means: 'A host callback ran inside a CUDA graph, and the device waited for it.',
    isHosts: true,
    mark: 'solid',
  },
  'late-rank': {
    label: 'waiting for another rank',
    means: 'The host was in send(), recv() or another collective, and had queued nothing after it.',
    isHosts: true,
    mark: 'dots',
  },
  profiler: {
    label: 'the profiler is at work',
    means: 'The profiler itself was at work.',
    isHosts: false,
    mark: 'lines',
  },
  'first-step': {
    label: 'first step recorded',
    means: 'In the first recorded step, libraries load and the profiler starts.',
    isHosts: false,
    mark: 'lines',
  },
  'between-kernels': {
    label: 'between queued kernels',
    means: 'The device’s own pause between queued kernels.',
    isHosts: false,
    mark: 'tint',
  },
  'between-frames': {
    label: 'between frames',
    means: 'The page waited for its next frame (requestAnimationFrame), and had submitted nothing.',
    isHosts: true,
    mark: 'lines',
  },
}

/** In the other causes the device is known to have done nothing. */
export const isIdle = (cause: GapCause): boolean => cause !== 'not-recorded'
