/** Which buffers a program wrote into through a mapping: the trace has a lane for each at a time, and a lane may change its buffer. */
import { install, patch } from '../../recorder/patches'

const MAP_READ = 1

export interface StagingUsed {
  /** Forgets them: before a run. */
  readonly begin: () => void
  /** Distinct buffers, whoever made them. */
  readonly count: () => number
}

/** To be called while the prototypes can still be patched: in `prepare`. It lasts as long as the worker. */
export function watchStaging(): StagingUsed {
  const used = new Set<GPUBuffer>()
  // The getter itself: a program can give its own buffer a property of this name.
  const usage = Reflect.getOwnPropertyDescriptor(GPUBuffer.prototype, 'usage')?.get
  install([
    patch(GPUBuffer, 'getMappedRange', (original, buffer, args) => {
      const range: unknown = Reflect.apply(original, buffer, args)
      const flags: number = usage ? Reflect.apply(usage, buffer, []) : 0
      if ((flags & MAP_READ) === 0) used.add(buffer)
      return range
    }),
  ])
  return {
    begin: () => {
      used.clear()
    },
    count: () => used.size,
  }
}
