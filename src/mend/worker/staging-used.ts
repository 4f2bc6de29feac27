/** Which buffers a program wrote into through a mapping: the trace has a lane for each at a time, and a lane may change its buffer. */
import { install, patch } from '../../recorder/patches'

const MAP_READ = 1

export interface StagingUsed {
  /** Forgets them: before a run. */
  readonly begin: () => void
  /** Distinct buffers, whoever made them. */
  readonly count: () => number
  /** How large they are together. */
  readonly bytes: () => number
}

/** To be called while the prototypes can still be patched: in `prepare`. It lasts as long as the worker. */
export function watchStaging(): StagingUsed {
  const used = new Map<GPUBuffer, number>()
  // The getters themselves: a program can give its own buffer properties of these names.
  const [usage, size] = (['usage', 'size'] as const).map((name) => {
    const getter = Reflect.getOwnPropertyDescriptor(GPUBuffer.prototype, name)?.get
    return (buffer: GPUBuffer): number => (getter ? Reflect.apply(getter, buffer, []) : 0)
  })
  install([
    patch(GPUBuffer, 'getMappedRange', (original, buffer, args) => {
      const range: unknown = Reflect.apply(original, buffer, args)
      if (((usage?.(buffer) ?? 0) & MAP_READ) === 0) used.set(buffer, size?.(buffer) ?? 0)
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
