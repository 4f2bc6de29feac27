/**
 * Staging buffers (MAP_WRITE) for programs that upload through them. A program finds the ones that
 * it is given mapped, and takes turns with them as it likes.
 */
import { USAGE, type OwnedBuffer, type RunContext } from '../gpu'

export async function createStaging(context: RunContext, count: number, sizeBytes: number) {
  const owned: OwnedBuffer[] = []
  for (let index = 0; index < count; index += 1)
    owned.push(await context.buffer(`staging ${String(index)}`, sizeBytes, USAGE.mapWrite | USAGE.copySrc))
  const buffers = owned.map(({ gpu }) => gpu)
  return {
    buffers: buffers as readonly GPUBuffer[],
    /**
     * The first `mapped` are mapped when it resolves: before a window, whatever the window before
     * left behind.
     *
     * @param bytes how many of each; the whole buffers where left out
     */
    map: async (mapped: number, bytes?: number): Promise<void> => {
      const asked = buffers.slice(0, mapped).map(async (buffer) => {
        // The program before may have asked for it already, and ended.
        while (buffer.mapState === 'pending') await context.breathe()
        // It may have asked for another part of it, too.
        if (bytes !== undefined && buffer.mapState === 'mapped') buffer.unmap()
        if (buffer.mapState === 'unmapped') await context.race(buffer.mapAsync(GPUMapMode.WRITE, 0, bytes))
      })
      await Promise.all(asked)
    },
    /** Unmaps all of them, after a window, whatever the program left behind. */
    unmap: async (): Promise<void> => {
      for (const buffer of buffers) {
        // A program that asked for a buffer back and ended: the promise is the program's, the state
        // is everybody's.
        while (buffer.mapState === 'pending') await context.breathe()
        if (buffer.mapState === 'mapped') buffer.unmap()
      }
    },
    release: () => {
      for (const buffer of owned) context.release(buffer)
    },
  }
}

/** A buffer to read results back through (MAP_READ). */
export const createReadback = async (context: RunContext, sizeBytes: number): Promise<GPUBuffer> =>
  (await context.buffer('readback', sizeBytes, USAGE.mapRead | USAGE.copyDst)).gpu
