/**
 * Tests whether two empty passes around a copy time it on this device. WebGPU times passes only,
 * and promises nothing about a pass that does nothing. Metal may write no stamp for one, and a
 * driver may run it beside the copy. So copies of two sizes are tried.
 */
import { median } from '../base/stats'
import type { RecordingSession } from './session'
import { inOwnScopes, StampPool, USAGE, type StampSlot } from './stamps'

const TRIALS = 3
/** In one bracket: one copy may be shorter than a quantised clock's step. */
const COPIES = 8

export interface CopyTimingOptions {
  /** The smaller and the larger copy. Smaller ones for a software adapter. */
  readonly bytes?: readonly [number, number]
}

/**
 * Call it outside measured windows; it records nothing. With the default sizes it needs some 70
 * MiB of buffers, freed at the end.
 *
 * @returns true where the bracketed time grows with the bytes by at least half their ratio; false
 * without timestamps, and on any error.
 */
export async function selfTestCopyTiming(
  device: GPUDevice,
  session: RecordingSession,
  { bytes: [small, large] = [4 * 2 ** 20, 64 * 2 ** 20] }: CopyTimingOptions = {},
): Promise<boolean> {
  const n = session.natives
  if (!n.hasFeature(device.features, 'timestamp-query')) return false
  const errors: string[] = []
  const onError = (message: string): void => {
    errors.push(message)
  }
  const own = <T>(body: () => T): T => inOwnScopes(n, device, body, onError)
  const pool = new StampPool(device, device.queue, n)
  const [from, to] = own(() => [
    n.createBuffer(device, { label: 'recorder: copy', size: large, usage: USAGE.mapWrite | USAGE.copySrc }),
    n.createBuffer(device, { label: 'recorder: copied', size: large, usage: USAGE.copyDst }),
  ])
  const time = async (bytes: number): Promise<number> => {
    if (session.interruption) throw session.interruption
    const slot = pool.take()
    if (!slot) return 0
    own(() => {
      const encoder = n.createCommandEncoder(device, { label: 'recorder: copy' })
      emptyPass(encoder, slot, 0)
      for (let copy = 0; copy < COPIES; copy += 1) n.copyBufferToBuffer(encoder, from, 0, to, 0, bytes)
      emptyPass(encoder, slot, 1)
      n.submit(device.queue, [n.finish(encoder)])
    })
    pool.release(slot)
    await n.onSubmittedWorkDone(device.queue)
    const ticks = (await pool.read([slot.set])).get(slot.set)
    const begin = ticks?.[slot.index] ?? 0n
    const end = ticks?.[slot.index + 1] ?? 0n
    return begin === 0n ? 0 : Number(end - begin)
  }
  const emptyPass = (encoder: GPUCommandEncoder, { set, index }: StampSlot, edge: 0 | 1): void => {
    n.endComputePass(
      n.beginComputePass(encoder, {
        timestampWrites: { querySet: set.querySet, endOfPassWriteIndex: index + edge },
      }),
    )
  }
  try {
    await time(large) // memory touched for the first time is slower
    const times: { readonly small: number[]; readonly large: number[] } = { small: [], large: [] }
    for (let trial = 0; trial < TRIALS; trial += 1) {
      times.small.push(await time(small))
      times.large.push(await time(large))
    }
    const [least, most] = [median(times.small), median(times.large)]
    return errors.length === 0 && least > 0 && most / least >= large / small / 2
  } catch {
    return false // a lost device, or a run that was cancelled: it is reported to those who use it
  } finally {
    n.destroyBuffer(from)
    n.destroyBuffer(to)
    pool.destroy()
  }
}
