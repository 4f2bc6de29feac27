/**
 * A whole run on the fake device, of an experiment that can be read at a glance: each step's pass
 * adds 1 to a word, and after every window the word must be the number of steps. Each part can be
 * replaced, to see what the frame round it does then.
 */
import { vi } from 'vitest'
import { readWords, USAGE, type RunContext } from '../../gpu'
import { fakeLabDevice, type FakeDevice } from '../../gpu/testing/fake-device'
import type { Program } from '../../lab/lab'
import { ModelOutOfMemoryError, ModelValidationError } from '../../model/webgpu'
import { fakeRealm, wordsIn } from '../../testing/fake-webgpu'
import type { Environment, Report, Verification } from '../../trace/report'
import type { RunInfo } from '../../trace/schema'
import { defineExperiment, type Declaration } from '../declare/experiment'
import { steps, windowOver } from '../declare/samplers'
import type { Progress, AnyPrepare, RunServices } from '../run-types'
import { runDeclared } from '../run-experiment'
import { shared } from '../shared-params'

/** This realm gets WebGPU, until the test ends. */
export function stubWebGpu(): void {
  for (const [name, value] of Object.entries(fakeRealm))
    if (name.startsWith('GPU')) vi.stubGlobal(name, value)
  vi.stubGlobal('GPUMapMode', { READ: 1, WRITE: 2 })
  vi.stubGlobal('GPUBufferUsage', { MAP_READ: 1, MAP_WRITE: 2, COPY_SRC: 4, COPY_DST: 8 })
  vi.stubGlobal('GPUValidationError', ModelValidationError)
  vi.stubGlobal('GPUOutOfMemoryError', ModelOutOfMemoryError)
  vi.stubGlobal('navigator', { userAgent: 'test', hardwareConcurrency: 2 })
}

const STEPS = 3
const PASS_MS = 0.01

const written = defineExperiment({
  id: 'tiny',
  title: 'Tiny',
  question: 'Was every step counted?',
  params: [
    {
      type: 'number',
      name: 'steps',
      label: 'Steps',
      help: 'Passes in each repeat.',
      place: 'dial',
      default: STEPS,
      min: 1,
      max: 64,
      integer: true,
      unit: '',
      scale: 'linear',
    },
    { ...shared.repeats, default: 4 },
  ],
  short: {},
  sources: [],
  variants: () => ['a', 'b'],
  program: () => 'count',
  metrics: { 'step-ms': ['Time of a step', windowOver(steps)] },
})
const tiny: Declaration = {
  ...written,
  rules: [
    {
      reason: 'counted',
      outcome: 'shown',
      when: {
        op: 'all',
        of: ['a', 'b'].map((variant) => ({
          op: 'measured',
          what: { is: 'metric', name: 'step-ms', variant },
        })),
      },
      text: { parts: ['A step took ', { figure: { is: 'metric', name: 'step-ms', variant: 'a' } }, '.'] },
      explain: [],
    },
    {
      reason: 'nothing',
      outcome: 'inconclusive',
      when: { op: 'always' },
      text: 'Nothing was measured.',
      explain: [],
    },
  ],
}

/** The program: plain WebGPU. */
export const count: Program = async ({ device, lab, input }) => {
  const { steps: wanted } = input as { readonly steps: number } // what prepare gives
  for (const step of lab.steps(wanted)) {
    const encoder = device.createCommandEncoder({ label: `step ${String(step)}` })
    encoder.beginComputePass({ label: 'count' }).end()
    device.queue.submit([encoder.finish()])
  }
  await device.queue.onSubmittedWorkDone()
  return { counted: wanted }
}

export const checkedOne = (isRight: boolean): Verification => ({
  checked: 1,
  failed: isRight ? 0 : 1,
  maxRelativeError: 0,
  tolerance: 0,
  what: 'the word that every step adds to',
})

interface TinyOptions {
  readonly program?: Program
  /** The address in the stacks of the program's calls. */
  readonly programUrl?: string
  readonly repeats?: number
  /** A variant may have fewer repeats. */
  readonly repeatsOf?: Readonly<Record<string, number>>
  readonly live?: boolean
  /** It runs before the work is prepared. */
  readonly prepare?: (context: RunContext, services: RunServices) => Promise<void>
  readonly check?: (
    own: () => Promise<Verification>,
    window: { readonly variant: string; readonly output: unknown },
  ) => Promise<Verification>
  readonly progress?: (progress: Progress, context: RunContext) => void
  readonly opened?: (context: RunContext) => void
  /** Picks the steps' passes that take place. */
  readonly keep?: (pass: number) => boolean
}

export interface Bench {
  readonly fake: FakeDevice
  readonly run: (options?: TinyOptions) => Promise<{
    readonly report: Report
    readonly info: RunInfo
    readonly context: RunContext
    readonly chunks: number
  }>
}

export const tinyEnvironment = {
  isSoftware: false,
  hostClockStepUs: 5,
  deviceClockStepNs: 1,
  crossOriginIsolated: true,
  userAgent: 'test',
  completionLatencyMs: 1,
  emptySubmitLatencyMs: 1,
  matmulGflops: 50,
} as unknown as Environment // what a run reads of it

/**
 * One device, on which run after run can be made. A GPU is kept busy for real milliseconds before
 * each window, so that each run takes 0.3 s more.
 */
export function openBench({ isSoftware = true } = {}): Bench {
  let keep = (_pass: number): boolean => true
  let passes = 0
  const { device: gpu, fake } = fakeLabDevice({
    passNs: PASS_MS * 1e6, // short, so that the device never runs ahead of the host
    gapNs: 1000,
    onPass: (label) => {
      if (label !== 'count') return
      passes += 1
      const word = fake.buffers.findLast((each) => each.label === 'word' && !each.isDestroyed)
      if (word && keep(passes)) word.memory.contents.writeData(0, Uint32Array.of((wordsIn(word)[0] ?? 0) + 1))
    },
  })
  fake.followHost()
  const device = { ...gpu, isSoftware }

  const run: Bench['run'] = async (options = {}) => {
    const { program = count, programUrl = '', repeats = 4, live = false } = options
    keep = options.keep ?? (() => true)
    const values = { steps: STEPS, repeats }
    const contexts: RunContext[] = []
    let chunks = 0
    const prepare: AnyPrepare = async (own, _, services, variants) => {
      const wanted = values.steps
      await options.prepare?.(own, services)
      const word = await own.buffer('word', 4, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
      const check = async (): Promise<Verification> =>
        checkedOne((await readWords(own, word, [0]))[0] === wanted)
      return {
        derived: { steps: wanted },
        repeats,
        variants: variants.map((variant) => ({
          name: variant,
          input: { steps: wanted },
          repeats: options.repeatsOf?.[variant] ?? repeats,
          before: () => own.queue.clear(word),
          check: (output) => options.check?.(check, { variant, output }) ?? check(),
        })),
      }
    }
    const loaded = { url: programUrl, program }
    const ended = await runDeclared({
      declaration: tiny,
      prepare,
      programs: new Map(tiny.variants(values).map((variant) => [variant, loaded])),
      device,
      environment: tinyEnvironment,
      values,
      hooks: {
        live,
        opened: (opened) => {
          contexts.push(opened)
          options.opened?.(opened)
        },
        started: () => undefined,
        progress: (progress) => {
          const [context] = contexts
          if (context) options.progress?.(progress, context)
        },
        chunk: () => (chunks += 1),
      },
    })
    const [context] = contexts
    if (!context) throw new Error('The run opened no context.')
    return { ...ended, context, chunks }
  }
  return { fake, run }
}
