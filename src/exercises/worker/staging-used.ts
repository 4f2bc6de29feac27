/**
 * Finds the buffers that a program wrote into through a mapping: the trace has a lane for each at a
 * time, and a lane may change its buffer.
 */
import { callOriginal, install, patch } from '../../recorder/patches'

const MAP_READ = 1

export interface StagingUsed {
  /** Forgets them: before a run. */
  readonly begin: () => void
  /** Distinct buffers, whoever made them. */
  readonly count: () => number
  /** How large they are together. */
  readonly bytes: () => number
}

/** To be called in `prepare`. It lasts as long as the worker. */
export function watchStaging(): StagingUsed {
  const used = new Map<GPUBuffer, number>()
  install([
    patch(GPUBuffer, 'getMappedRange', (original, buffer, args) => {
      const range = callOriginal(original, buffer, args)
      if ((buffer.usage & MAP_READ) === 0) used.set(buffer, buffer.size)
      return range
    }),
  ])
  return {
    begin: () => {
      used.clear()
    },
    count: () => used.size,
    bytes: () => [...used.values()].reduce((all, each) => all + each, 0),
  }
}
