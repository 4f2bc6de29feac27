/** What a rank has: its numbers, fresh before each window, room for what arrives, and where asked for a tensor on its own GPU. */
import { USAGE } from '../../gpu'
import type { DeviceSite } from '../../gpu'
import type { PrepareRank, RankWork } from '../serve-rank'
import { add, blockOf, check, fill } from './contents'
import { GPU, KIB, type Operation, type ProgramName } from './variants'

export interface RankSpec {
  readonly program: ProgramName
  readonly operation: Operation
  readonly kib: number
  /** Of the largest that is run. */
  readonly mostKib: number
  /** Round trips of a pair. */
  readonly trips: number
}

/** All variants of a rank take turns in the same memory. By rank, since tests have several in one thread. */
const memories = new Map<number, { readonly own: Float32Array; readonly arriving: Float32Array }>()

function memoryOf(rank: number, words: number) {
  const known = memories.get(rank)
  if (known && known.own.length >= words) return known
  const made = { own: new Float32Array(words), arriving: new Float32Array(words) }
  memories.set(rank, made)
  return made
}

export const prepareRank: PrepareRank<DeviceSite | null> = async (
  site,
  spec,
  { rank, size },
): Promise<RankWork> => {
  const { program, operation, kib, mostKib, trips } = spec as RankSpec // as prepare.ts wrote it
  const { own, arriving } = memoryOf(rank, (mostKib * KIB) / 4)
  const words = (kib * KIB) / 4
  const [data, got] = [own.subarray(0, words), arriving.subarray(0, words)]
  // What an earlier window left behind is found wrong.
  let seed = 0
  const before = () => {
    seed += 1
    fill(data, rank, seed)
    got.fill(Number.NaN)
    return Promise.resolve()
  }
  const told = () => check(operation, data, { rank, size }, seed)
  const input = { operation, data, got, add, block: blockOf(data, size), trips }
  if (program !== GPU || !site) return { input, before, told }

  const { gpu } = site.device
  const tensor = await site.buffer('tensor', 4 * words, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
  const readback = await site.buffer('readback', 4 * words, USAGE.mapRead | USAGE.copyDst)
  return {
    input: { ...input, tensor: tensor.gpu, readback: readback.gpu },
    before: async () => {
      await before()
      gpu.queue.writeBuffer(tensor.gpu, 0, data)
      data.fill(Number.NaN)
      await site.race(gpu.queue.onSubmittedWorkDone())
    },
    // What has come up again counts.
    told: async () => {
      data.fill(Number.NaN)
      const encoder = gpu.createCommandEncoder({ label: 'check' })
      encoder.copyBufferToBuffer(tensor.gpu, 0, readback.gpu, 0, 4 * words)
      gpu.queue.submit([encoder.finish()])
      await site.race(readback.gpu.mapAsync(GPUMapMode.READ))
      data.set(new Float32Array(readback.gpu.getMappedRange()))
      readback.gpu.unmap()
      return told()
    },
  }
}
