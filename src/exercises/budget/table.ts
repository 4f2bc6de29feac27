/** The methods that are counted or refused, one row each. */
import { callOriginal, noted, notedAfter, patch, type Patch } from '../../recorder/patches'
import { writtenBytes } from '../../recorder/writes'
import { countOf, type Limits, type Spending } from './limits'
import type { FuelBinding, FuelStore } from './fuel-store'
import type { Modules } from './modules'
import type { Realm } from '../../recorder/realm'

/** Cost of a dispatch, and the limit against which it counts. */
export type DispatchCost =
  | {
      readonly kind: 'iterations'
      /** Iterations of one invocation. */
      readonly iterations: number
      /** Invocations of a workgroup. */
      readonly invocations: number
      /** Its loops have counters of a fixed size. */
      readonly isCounted: boolean
      /** Null: its loops have no store. */
      readonly fuel: FuelBinding | null
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
  | { readonly kind: 'refused'; readonly sentence: string }

export interface Counting {
  readonly realm: Realm
  readonly limits: Limits
  /** `isOpen`: a program runs. */
  readonly state: { isOpen: boolean }
  readonly spent: Spending
  /** Throws where it is more than the limit. */
  readonly spend: (kind: keyof Spending, amount: number) => void
  readonly refuse: (sentence: string) => never
  readonly costs: WeakMap<GPUComputePipeline, DispatchCost>
  readonly modules: Modules
  readonly store: FuelStore | null
}

export const budgetTable = (counting: Counting): readonly Patch[] => [
  ...memory(counting),
  ...work(counting),
  ...shaders(counting),
  ...refusals(counting),
]

/** WebGPU refuses values that are not numbers that count. */
const countable = (value: unknown): number => (Number(value) > 0 ? Number(value) : 0)

/** A query's result is a u64 (WebGPU §20.1). */
const TIMESTAMP_BYTES = 8

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
    patch(GPUDevice, 'createQuerySet', (original, device, args) =>
      keep(countable((args[0] as Partial<GPUQuerySetDescriptor> | undefined)?.count) * TIMESTAMP_BYTES, () =>
        callOriginal(original, device, args),
      ),
    ),
    notedAfter(realm.GPUQuerySet, 'destroy', giveBack),
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

function work({ realm, limits, state, spend, refuse, costs, store }: Counting): readonly Patch[] {
  const pipelines = new WeakMap<GPUComputePassEncoder, DispatchCost>()
  return [
    noted(realm.GPUDevice, 'createCommandEncoder', () => spend('commands', 1)),
    noted(realm.GPUQueue, 'submit', () => spend('commands', 1)),
    noted(realm.GPUCommandEncoder, 'beginComputePass', (_, [descriptor]) => {
      spend('commands', 1)
      if (state.isOpen && descriptor?.timestampWrites)
        refuse('In an exercise, the lab times the passes: a pass cannot have timestampWrites.')
    }),
    patch(realm.GPUComputePassEncoder, 'setPipeline', (original, pass, args) => {
      const result = callOriginal(original, pass, args)
      pipelines.set(pass, costs.get(args[0]) ?? UNKNOWN_PIPELINE)
      return result
    }),
    patch(realm.GPUComputePassEncoder, 'dispatchWorkgroups', (original, pass, args) => {
      if (!state.isOpen) return callOriginal(original, pass, args)
      spend('commands', 1)
      const cost = pipelines.get(pass) ?? NO_PIPELINE
      if (cost.kind === 'refused') return refuse(cost.sentence)
      const [x, y = 1, z = 1] = args
      const workgroups = countable(x * y * z)
      if (cost.kind === 'iterations') {
        spend('iterations', iterationsOfTime(limits, cost, workgroups))
        if (store && cost.fuel) store.bind(pass, cost.fuel, workgroups * cost.invocations)
      } else spend('givenMs', cost.dispatches.get(workgroups) ?? workgroups * cost.perWorkgroup)
      return callOriginal(original, pass, args)
    }),
  ]
}

/**
 * The share of a call that a dispatch may take, in `Spending.iterations`: all that it executes, at
 * the pace of many at once, or what one invocation does, where a device is not full: 20,000
 * dispatches of one workgroup wait for each other, as if each were alone.
 */
function iterationsOfTime(
  limits: Limits,
  { iterations, invocations, isCounted }: Extract<DispatchCost, { readonly kind: 'iterations' }>,
  workgroups: number,
): number {
  const call = isCounted ? limits.counted : limits
  const all = workgroups * invocations * iterations
  const alone = workgroups > 0 ? iterations : 0
  return limits.iterations * Math.max(all / call.iterations, alone / call.serialIterations)
}

const UNKNOWN_PIPELINE: DispatchCost = {
  kind: 'refused',
  sentence: 'The lab does not know what this pipeline runs, so it is not run.',
}

const NO_ENTRY_POINT: DispatchCost = {
  kind: 'refused',
  sentence: 'This pipeline has no entry point that the lab could read, so it is not run.',
}

const NO_PIPELINE: DispatchCost = {
  kind: 'refused',
  sentence: 'A pass needs setPipeline() before dispatchWorkgroups().',
}

/** An editor's text is far shorter; a program can make any. */
const MOST_CHARACTERS = 200_000

function shaders({ realm, limits, state, spend, refuse, costs, modules, store }: Counting): readonly Patch[] {
  const { GPUDevice } = realm
  /** The descriptor with the module that has fuel, and what notes what a dispatch of the pipeline will cost. */
  const fueled = (
    descriptor: GPUComputePipelineDescriptor,
  ): {
    readonly descriptor: GPUComputePipelineDescriptor
    readonly priced: (made: GPUComputePipeline) => GPUComputePipeline
  } => {
    spend('pipelines', 1)
    const { layout, compute } = descriptor
    // The store's bind group stands behind the program's own in a layout that WebGPU makes.
    if (layout !== 'auto') refuse("In an exercise, WebGPU makes the layout of a pipeline: `layout: 'auto'`.")
    const found = modules.fueledOf(compute.module)
    if (typeof found === 'string') return refuse(found)
    const name = compute.entryPoint
    // Undefined: WebGPU itself refuses the pipeline, as there is no such entry point, or no only
    // one.
    const entry = found.fueled.entryPoints.find((each) => name === undefined || each.name === name)
    const isShared = found.fueled.perInvocation === 0
    const costOf = (pipeline: GPUComputePipeline): DispatchCost => {
      if (!entry) return NO_ENTRY_POINT
      const invocations = entry.workgroupSize ?? limits.invocationsPerWorkgroup
      const fuel =
        store && found.group !== null && entry.hasLoops
          ? { group: found.group, pipeline, isShared, bindGroups: [] }
          : null
      return {
        kind: 'iterations',
        iterations: entry.worstIterations,
        invocations,
        isCounted: !isShared,
        fuel,
      }
    }
    return {
      descriptor: { ...descriptor, compute: { ...compute, module: found.module } },
      priced: (made) => {
        costs.set(made, costOf(made))
        return made
      },
    }
  }
  return [
    patch(GPUDevice, 'createShaderModule', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      spend('pipelines', 1)
      const [descriptor] = args
      const source = descriptor.code
      if (source.length > MOST_CHARACTERS)
        refuse(`A shader module of an exercise may have ${countOf(MOST_CHARACTERS)} characters.`)
      return modules.create(
        device,
        source,
        (code) => callOriginal(original, device, [{ ...descriptor, code }]) as GPUShaderModule, // what it gives
      )
    }),
    patch(realm.GPUShaderModule, 'getCompilationInfo', (original, module) => {
      spend('pipelines', 1)
      return callOriginal(original, modules.originalOf(module), [])
    }),
    patch(GPUDevice, 'createComputePipeline', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      const { descriptor, priced } = fueled(args[0])
      return priced(callOriginal(original, device, [descriptor]) as GPUComputePipeline) // what the original gives
    }),
    patch(GPUDevice, 'createComputePipelineAsync', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      const { descriptor, priced } = fueled(args[0])
      const promise = callOriginal(original, device, [descriptor]) as Promise<GPUComputePipeline> // what it gives
      return promise.then(priced)
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
    patch(GPUDevice, 'createTexture', no('Textures')),
    patch(GPUDevice, 'importExternalTexture', no('Textures')),
    patch(GPUQueue, 'copyExternalImageToTexture', no('Textures')),
    patch(GPUDevice, 'createRenderPipeline', no('Render pipelines')),
    patch(GPUDevice, 'createRenderPipelineAsync', no('Render pipelines')),
    patch(GPUDevice, 'createRenderBundleEncoder', no('Render bundles')),
    patch(GPUCommandEncoder, 'beginRenderPass', no('Render passes')),
  ]
}
