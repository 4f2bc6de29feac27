/**
 * Whole runs on a modelled GPU: what each experiment finds there, and that it finds nothing where
 * something is taken out.
 */
import { describe, expect, it, vi } from 'vitest'
import { ModelBuffer } from '../model/buffer'
import { Machine } from '../model/machine'
import { processorOf } from '../model/stage'
import { ModelQueue } from '../model/webgpu'
import { noTimestamps, softwareCard } from '../model/testing/machines'
import { runOnModel } from '../model/testing/run-on-model'
import type { ParamValues } from './experiment'
import { experiments } from './testing/catalog'
import { explainedBy } from './testing/explained-by'

let machine: Machine
vi.mock('../gpu/kernels/cpu/processor', () => ({
  openProcessor: () => Promise.resolve(processorOf(machine)),
}))

/**
 * Its values, what it finds, and what without timestamps, if that is another. Ranks and workers are
 * not in the model.
 */
const runs: [id: string, params: ParamValues, reason: string, blind?: string][] = [
  ['async-submission', { kernelMs: 2, steps: 16, repeats: 2 }, 'host-runs-ahead'],
  ['sync-stalls', { repeats: 2 }, 'reads-expose-the-host'],
  ['command-queue', { repeats: 2 }, 'submits-cost', 'nothing-to-compare'],
  ['tensor-residence', { steps: 6, repeats: 2 }, 'made-there'],
  ['stay-on-device', { matrixSize: 512, repeats: 2 }, 'trips-dominate'],
  [
    'transfer-cost',
    { sizes: ['4k', '16k', '64k', '256k'], pieces: 4, pieceKiB: 4, repeats: 2 },
    'latency-decides',
  ],
  ['overlapped-uploads', { rings: ['1', '2', '4'], batchMiB: 4, steps: 6, repeats: 2 }, 'overlap'],
  ['staging-buffers', { rings: ['4'], steps: 6, repeats: 2 }, 'ring-pays'],
  ['streams-and-events', { repeats: 2 }, 'first-read-early'],
  ['worth-it', { sizes: ['16', '32'], uses: 2, repeats: 2, kernel: 'tiled' }, 'cpu-always-wins'],
  ['starved-by-the-loader', { steps: 3, repeats: 1, making: 0.25, kernelMs: 0.1 }, 'no-worker'],
  ['kernel-ladder', { matrixSize: 256, steps: 6, repeats: 2 }, 'transfers-take-over'],
]
const declarationOf = (id: string) => {
  const found = experiments.find((each) => each.id === id)
  if (!found) throw new Error(`There is no experiment '${id}'.`)
  return found
}

describe.each(runs)('%s on a modelled GPU', (id, params, reason, blind = reason) => {
  /** @param keeps which of the kernels run, from 1 */
  const run = async (card = softwareCard, keeps: (kernel: number) => boolean = () => true) => {
    machine = new Machine(card)
    let kernels = 0
    machine.runs = () => keeps((kernels += 1))
    return await runOnModel(machine, id, params)
  }

  it('checks what it computed, and finds its effect', async () => {
    const { verification, validity, verdict } = await run()
    expect(verification).toMatchObject({ failed: 0 })
    expect(validity.reasons).toEqual([])
    expect(verdict).toMatchObject({ reason })
  })

  it('does not count where every seventh kernel is skipped', async () => {
    expect((await run(softwareCard, (kernel) => kernel % 7 !== 0)).verdict.outcome).toBe('invalid')
  })

  it('does not count where uploads are lost', async () => {
    const { getMappedRange } = ModelBuffer.prototype // oxlint-disable-line typescript/unbound-method -- called with its buffer
    const { writeBuffer } = ModelQueue.prototype // oxlint-disable-line typescript/unbound-method -- called with its queue
    let lost = 0
    vi.spyOn(ModelBuffer.prototype, 'getMappedRange').mockImplementation(function (
      this: ModelBuffer,
      ...range
    ) {
      if (!this.label.startsWith('staging')) return getMappedRange.apply(this, range)
      lost += 1
      return new ArrayBuffer(this.size)
    })
    vi.spyOn(ModelQueue.prototype, 'writeBuffer').mockImplementation(function (
      this: ModelQueue,
      buffer,
      ...rest
    ) {
      if (buffer.size < 4096) writeBuffer.call(this, buffer, ...rest)
      else lost += 1
    })
    const { verdict } = await run()
    expect(verdict.outcome === 'invalid').toBe(lost > 0)
  })

  it('without timestamps finds the same, from the host alone, and speaks of nothing that a device did', async () => {
    const report = await run(noTimestamps)
    expect(report.verdict).toMatchObject({ reason: blind })
    for (const { name, origin, value } of report.metrics)
      if (origin === 'device-clock') expect(value, name).toBeNull()
    for (const text of [report.verdict.text, explainedBy(declarationOf(id), report, report.verdict)])
      expect(text).not.toMatch(
        /\b(computes for|computes \d|computed \d|was computing|busy|gap|idle|ran for|kernel it)\b/,
      )
  })
})
