/**
 * Budget of a learner's program: patches over one realm's WebGPU that count what the program asks
 * for, and throw before it is more than its limits. Work that a device has begun cannot be ended:
 * an endless kernel on a software adapter blocks the browser's GPU process for minutes, whatever
 * becomes of the program's worker. So it must not begin.
 *
 * Counted when a command is encoded, while a program runs. Commands that are never submitted count
 * too, and none is submitted twice: WebGPU's command buffers are submitted once.
 */
import { callOriginal, install, noted, notedAfter, patch, type Patch } from '../../recorder/patches'
import { countOf, type Limits, noSpending, SENTENCES, type Spending } from './limits'
import type { Realm } from '../../recorder/realm'
import { writtenBytes } from '../../recorder/writes'
import { kernelsIn } from '../wgsl/fuel'

/** The methods that are counted or refused, one row each. */

/** Cost of a dispatch, and the limit against which it counts. */
type DispatchCost =
  | {
      readonly kind: 'iterations'
      /** Iterations of one invocation. */
      readonly iterations: number
      /** Invocations of a workgroup. */
      readonly invocations: number
    }
  | {
      readonly kind: 'givenMs'
      readonly perWorkgroup: number
      /**
       * By their number of workgroups, those whose time is known. Several shapes may run on one
       * pipeline.
       */
      readonly dispatches: Map<number, number>
    }

interface Counting {
  readonly realm: Realm
  readonly limits: Limits
  /** `isOpen`: a program runs. */
  readonly state: { isOpen: boolean }
  readonly spent: Spending
  /** Throws where it is more than the limit. */
  readonly spend: (kind: keyof Spending, amount: number) => void
  readonly refuse: (sentence: string) => never
  readonly costs: WeakMap<GPUComputePipeline, DispatchCost>
}

const budgetTable = (counting: Counting): readonly Patch[] => [
  ...memory(counting),
  ...work(counting),
  ...shaders(counting),
  ...refusals(counting),
]

/** WebGPU refuses values that are not numbers that count. */
const countable = (value: unknown): number => (Number(value) > 0 ? Number(value) : 0)

function memory({ realm, state, spent, spend }: Counting): readonly Patch[] {
  const { GPUDevice, GPUQueue, GPUCommandEncoder } = realm
  /** Bytes that are not given back so far. */
  const live = new WeakMap<object, number>()
  const keep = (bytes: number, make: () => unknown): unknown => {
    if (!state.isOpen) return make()
    spend('bytes', bytes)
    try {
      spend('copies', bytes)
      const made = make() as object // what the original gives
      live.set(made, bytes)
      return made
    } catch (thrown) {
      spent.bytes -= bytes
      throw thrown
    }
  }
  const giveBack = (made: object): void => {
    spent.bytes -= live.get(made) ?? 0
    live.delete(made)
  }
  return [
    patch(GPUDevice, 'createBuffer', (original, device, args) =>
      keep(countable((args[0] as Partial<GPUBufferDescriptor> | undefined)?.size), () =>
        callOriginal(original, device, args),
      ),
    ),
    notedAfter(realm.GPUBuffer, 'destroy', giveBack),
    noted(GPUQueue, 'writeBuffer', (_, [, , data, start, size]) =>
      spend('writes', countable(writtenBytes(data, start, size))),
    ),
    noted(GPUCommandEncoder, 'copyBufferToBuffer', (_, args) => {
      const [from, second, third, , fifth] = args as unknown as readonly [GPUBuffer, ...unknown[]]
      // Offsets may be left out (WebGPU §13.5).
      const isLong = typeof second === 'number'
      spend('copies', countable((isLong ? fifth : third) ?? from.size - (isLong ? second : 0)))
    }),
    noted(GPUCommandEncoder, 'clearBuffer', (_, [buffer, start = 0, size]) =>
      spend('copies', countable(size ?? buffer.size - start)),
    ),
  ]
}

/** A dispatch of fewer lasts as long: a device is not full then, and one waits for the other. */
const LEAST_INVOCATIONS = 2 ** 14

function work({ realm, state, spend, refuse, costs }: Counting): readonly Patch[] {
  const pipelines = new WeakMap<GPUComputePassEncoder, DispatchCost | undefined>()
  return [
    noted(realm.GPUDevice, 'createCommandEncoder', () => spend('commands', 1)),
    noted(realm.GPUQueue, 'submit', () => spend('commands', 1)),
    noted(realm.GPUCommandEncoder, 'beginComputePass', () => spend('commands', 1)),
    patch(realm.GPUComputePassEncoder, 'setPipeline', (original, pass, args) => {
      const result = callOriginal(original, pass, args)
      pipelines.set(pass, costs.get(args[0]))
      return result
    }),
    patch(realm.GPUComputePassEncoder, 'dispatchWorkgroups', (original, pass, args) => {
      if (!state.isOpen) return callOriginal(original, pass, args)
      spend('commands', 1)
      const cost = pipelines.get(pass)
      if (!cost) return refuse('The lab does not know what this pass runs, so it is not run.')
      const [x, y = 1, z = 1] = args
      const workgroups = countable(x * y * z)
      if (cost.kind === 'iterations')
        spend('iterations', cost.iterations * Math.max(LEAST_INVOCATIONS, workgroups * cost.invocations))
      else spend('givenMs', cost.dispatches.get(workgroups) ?? workgroups * cost.perWorkgroup)
      return callOriginal(original, pass, args)
    }),
  ]
}

/** An editor's text is far shorter; a program can make any. */
const MOST_CHARACTERS = 200_000

function shaders({ realm, limits, state, spend, refuse, costs }: Counting): readonly Patch[] {
  const { GPUDevice } = realm
  const sources = new WeakMap<GPUShaderModule, ReturnType<typeof kernelsIn>>()
  const costOf = ({ compute: { module, entryPoint } }: GPUComputePipelineDescriptor): DispatchCost | null => {
    spend('pipelines', 1)
    const read = sources.get(module)
    if (!read) return refuse('The lab does not know the WGSL of this pipeline.')
    if (!read.ok) {
      const words = read.error.map(({ line, message }) => `line ${String(line)}: ${message}`)
      return refuse(`The lab could not read your WGSL, so it is not run (${words.join(' ')})`)
    }
    // Undefined: WebGPU itself refuses the pipeline, as there is no such entry point, or no only
    // one.
    const entry = read.value.entryPoints.find(({ name }) => entryPoint === undefined || name === entryPoint)
    return entry
      ? {
          kind: 'iterations',
          iterations: entry.cost[0] ?? 0,
          invocations: entry.workgroupSize ?? limits.invocationsPerWorkgroup,
        }
      : null
  }
  return [
    patch(GPUDevice, 'createShaderModule', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      spend('pipelines', 1)
      const [{ code }] = args
      if (code.length > MOST_CHARACTERS)
        refuse(`A shader module of an exercise may have ${countOf(MOST_CHARACTERS)} characters.`)
      const read = kernelsIn(code)
      const [line] = read.ok ? read.value.loopLines : []
      if (line !== undefined)
        refuse(
          `Line ${String(line)} of your WGSL is a loop: kernels that a program makes have none here, so that each ends. Dispatch an invocation for each word instead.`,
        )
      const module = callOriginal(original, device, args) as GPUShaderModule // what it gives
      sources.set(module, read)
      return module
    }),
    patch(GPUDevice, 'createComputePipeline', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      const cost = costOf(args[0])
      const made = callOriginal(original, device, args) as GPUComputePipeline // what the original gives
      if (cost) costs.set(made, cost)
      return made
    }),
    patch(GPUDevice, 'createComputePipelineAsync', async (original, device, args) => {
      const cost = state.isOpen ? costOf(args[0]) : null
      const made = await (callOriginal(original, device, args) as Promise<GPUComputePipeline>) // what it gives
      if (cost) costs.set(made, cost)
      return made
    }),
  ]
}

/** Their cost is not known when they are encoded, or no mend needs them. */
function refusals({ realm, refuse }: Counting): readonly Patch[] {
  const no = (what: string) => () => refuse(`${what} cannot be used in an exercise.`)
  const { GPUDevice, GPUQueue, GPUCommandEncoder } = realm
  return [
    patch(realm.GPUComputePassEncoder, 'dispatchWorkgroupsIndirect', () =>
      refuse(
        'In an exercise, the number of workgroups must be known: dispatchWorkgroupsIndirect() cannot be used.',
      ),
    ),
    patch(GPUDevice, 'createQuerySet', no('Query sets')),
    patch(GPUDevice, 'createTexture', no('Textures')),
    patch(GPUDevice, 'importExternalTexture', no('Textures')),
    patch(GPUQueue, 'copyExternalImageToTexture', no('Textures')),
    patch(GPUDevice, 'createRenderPipeline', no('Render pipelines')),
    patch(GPUDevice, 'createRenderPipelineAsync', no('Render pipelines')),
    patch(GPUDevice, 'createRenderBundleEncoder', no('Render bundles')),
    patch(GPUCommandEncoder, 'beginRenderPass', no('Render passes')),
  ]
}

/** A pipeline of the lab that a program is given. */
interface GivenPipeline {
  /**
   * Workgroups of a dispatch that the lab makes of it; below, how long that takes as measured here,
   * ms.
   */
  readonly workgroups: number
  readonly ms: number
}

export type Budget = ReturnType<typeof createBudget>

/** @param realm default: this one */
export function createBudget(limits: Limits, realm: Realm = globalThis) {
  const spent = noSpending()
  let violation: string | null = null
  const state = { isOpen: false }
  const refuse = (sentence: string): never => {
    violation ??= sentence
    throw new Error(sentence)
  }
  const spend = (kind: keyof Spending, amount: number): void => {
    if (!state.isOpen) return
    const wanted = spent[kind] + amount
    // Also where it is not a number.
    if (!(wanted <= limits[kind])) refuse(SENTENCES[kind](wanted, limits[kind]))
    spent[kind] = wanted
  }
  const costs = new WeakMap<GPUComputePipeline, DispatchCost>()
  return {
    /**
     * Patches the realm. After the recorder's session has started, so that refused calls are not
     * recorded, and before the learner's code.
     *
     * @returns a function that puts back what was there. Before the recorder's session stops.
     */
    install: () => install(budgetTable({ realm, limits, state, spent, spend, refuse, costs })),
    spent: spent as Readonly<Spending>,
    /**
     * The first refusal, as a sentence for learners; null: none. It stays when the program catches
     * the error.
     */
    get violation() {
      return violation
    },
    /**
     * The program is called: what is asked of WebGPU counts from now on, times of kernels from
     * nothing.
     */
    open: () => {
      state.isOpen = true
      spent.givenMs = 0
      spent.iterations = 0
    },
    close: () => (state.isOpen = false),
    /**
     * Registers the cost of a pipeline that the program is given. While a program runs, no other
     * pipeline that was not made here is dispatched, not even by the lab's functions.
     */
    given: (pipeline: GPUComputePipeline, { workgroups, ms }: GivenPipeline) => {
      const known = costs.get(pipeline)
      const before =
        known?.kind === 'givenMs' ? known : { perWorkgroup: 0, dispatches: new Map<number, number>() }
      before.dispatches.set(workgroups, Math.max(ms, before.dispatches.get(workgroups) ?? 0))
      costs.set(pipeline, {
        kind: 'givenMs',
        perWorkgroup: Math.max(ms / workgroups, before.perWorkgroup),
        dispatches: before.dispatches,
      })
    },
  }
}
