/** What is prepared, on the model. */
import { describe, expect, it } from 'vitest'
import { openDevice, RunContext, type LabDevice } from '../../gpu'
import type { Program } from '../../lab/lab'
import { GATHER_WORDS } from '../../gpu/kernels/data/gather'
import { Machine } from '../../model/machine'
import { realmOf } from '../../model/realm'
import { softwareCard } from '../../model/testing/machines'
import type { ParamValues } from '../experiment'
import { measurePrograms } from '../measure-programs'
import type { Window } from '../run-types'
import { overlappedUploads } from './meta'
import { prepare } from './prepare'

const programs = import.meta.glob<Program>('./programs/*.js', { import: 'default', eager: true })

const services = {
  isSoftware: false,
  deviceStepNs: 1,
  roundTripMs: 3,
  matmulGflops: null,
  say: () => undefined,
  urlOf: () => '',
}

async function runAll(params: ParamValues, runs: (kernel: string) => boolean = () => true) {
  const machine = new Machine(softwareCard)
  machine.runs = runs
  const { gpu, run } = realmOf(machine)
  return await run(async () => runOn(await openDevice(gpu), params))
}

async function runOn(device: LabDevice, params: ParamValues) {
  const context = RunContext.open(device, {
    record: true,
    hostStepUs: 5,
    deviceStepNs: 1,
    info: {
      experiment: 'overlapped-uploads',
      params: {},
      derived: {},
      adapter: null,
      userAgent: '',
      crossOriginIsolated: true,
      startedAt: '2026-01-01T00:00:00.000Z',
      origin: 'live',
    },
  })
  const values = overlappedUploads.valuesOf({ batchMiB: 0.0625, repeats: 1, steps: 4, ...params })
  const windows: Window[] = []
  return await context.use(async () => {
    const prepared = await prepare(context, values, services, overlappedUploads.variants(values))
    const verification = await measurePrograms(context, prepared, {
      roundTripMs: 3,
      keepBusy: null,
      windows,
      progress: () => undefined,
      programOf: (variant) => {
        const program = programs[`./programs/${overlappedUploads.program(variant, values)}.js`]
        if (!program) throw new Error(`There is no program of '${variant}'.`)
        return { program, url: '' }
      },
    })
    return { prepared, verification, windows }
  })
}

describe('what overlapped-uploads prepares', () => {
  it.each(['together', 'split'])('runs every variant (%s)', async (submission) => {
    const { prepared, windows } = await runAll({ rings: ['1', '4'], submission })
    expect(windows.map(({ variant }) => variant)).toEqual([
      'compute-only',
      'upload-only',
      'serial',
      'ring-1',
      'ring-4',
    ])
    expect(prepared.derived).toMatchObject({
      batchBytes: 65536,
      steps: 4,
      repeats: 1,
      uploadDepth: 4,
      roundTripMs: 3,
    })
    const depths = prepared.variants.map(({ input }) =>
      'staging' in input ? (input.staging as unknown[]).length : 0,
    )
    expect(depths).toEqual([0, 4, 1, 1, 4])
  })

  it('is not verified where no kernel ran', async () => {
    const { verification } = await runAll({ rings: ['2'] }, () => false)
    expect(verification.checked).toBeGreaterThan(4 * GATHER_WORDS)
    expect(verification.failed).toBe(verification.checked)
  })
})
