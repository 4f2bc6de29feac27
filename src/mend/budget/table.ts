/** What is counted and what is refused: one row a method. Arguments are read once, and passed on as they were read. */
import { react, Records, uncurry } from '../../recorder/intrinsics'
import { callOriginal, patch, type Patch } from '../../recorder/patches'
import { getterOf, writtenBytes } from '../../recorder/sizes'
import { lengthOf, TOKENS_OF_ITERATION } from '../wgsl/cost'
import { countOf, type Limits, type Spending } from './limits'
import type { FuelStore } from './fuel-store'
import type { Modules } from './modules'
import type { Realm } from '../../recorder/realm'
import type { BudgetState, DispatchCost } from './types'

export interface Counting {
  readonly realm: Realm
  readonly limits: Limits
  readonly state: BudgetState
  readonly spent: Spending
  /** Throws where it is more than the limit. */
  readonly spend: (kind: keyof Spending, amount: number) => void
  readonly refuse: (sentence: string) => never
  readonly costs: Records<GPUComputePipeline, DispatchCost>
  readonly modules: Modules
  readonly store: FuelStore | null
}

export const budgetTable = (counting: Counting): readonly Patch[] => [
  ...memory(counting),
  ...work(counting),
  ...shaders(counting),
  ...scopes(counting),
  ...refusals(counting),
]

/** WebIDL's conversions, captured; each is made once: what it gives is passed on. Negative and fractional numbers are WebGPU's to refuse. */
const numberOf: (value: unknown) => number = Number
const textOf: (value: unknown) => string = String
const listOf: <T>(values: Iterable<T>) => T[] = Array.from.bind(Array)
// oxlint-disable-next-line typescript/unbound-method -- unbound on purpose: uncurry() gives it its `this`
const mapGet = uncurry<Map<number, number>, [number], number | undefined>(Map.prototype.get)
const { max } = Math
const countable = (value: number): number => (value > 0 ? value : 0)

/** A member of a dictionary, read once, as WebIDL does. */
type Dictionary = Readonly<Record<string, unknown>> | null | undefined

function memory({ realm, state, spent, spend }: Counting): readonly Patch[] {
  const { GPUDevice, GPUQueue, GPUCommandEncoder } = realm
  /** Bytes that are not given back so far. */
  const live = new Records<object, number>()
  const sizeOf = getterOf<GPUBuffer, number>(realm.GPUBuffer.prototype, 'size')
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
    live.set(made, 0)
  }
  return [
    patch(GPUDevice, 'createBuffer', (original, device, args) => {
      const descriptor = args[0] as unknown as Dictionary
      if (!descriptor) return callOriginal(original, device, args)
      const size = numberOf(descriptor['size'])
      const { label, usage } = descriptor
      const mappedAtCreation = Boolean(descriptor['mappedAtCreation'])
      const read = { __proto__: null, label, size, usage, mappedAtCreation }
      return keep(countable(size), () => callOriginal(original, device, [read]))
    }),
    patch(realm.GPUBuffer, 'destroy', (original, buffer, args) => {
      const result = callOriginal(original, buffer, args)
      giveBack(buffer)
      return result
    }),
    patch(GPUDevice, 'createQuerySet', (original, device, args) => {
      const descriptor = args[0] as unknown as Dictionary
      if (!descriptor) return callOriginal(original, device, args)
      const count = numberOf(descriptor['count'])
      const read = { __proto__: null, label: descriptor['label'], type: descriptor['type'], count }
      return keep(countable(count) * TIMESTAMP_BYTES, () => callOriginal(original, device, [read]))
    }),
    patch(realm.GPUQuerySet, 'destroy', (original, set, args) => {
      const result = callOriginal(original, set, args)
      giveBack(set)
      return result
    }),
    patch(GPUQueue, 'writeBuffer', (original, queue, args) => {
      const start = args[3] === undefined ? 0 : numberOf(args[3])
      const size = args[4] === undefined ? undefined : numberOf(args[4])
      spend('writes', countable(writtenBytes(args[2], start, size)))
      return callOriginal(original, queue, [args[0], args[1], args[2], start, size])
    }),
    patch(GPUCommandEncoder, 'copyBufferToBuffer', (original, encoder, args) => {
      const given: readonly unknown[] = args
      const isLong = typeof given[1] !== 'object'
      const start = isLong ? numberOf(given[1]) : 0
      const asked = isLong ? given[4] : given[2]
      const from = given[0] as GPUBuffer // sizeOf() throws for anything else
      const size = asked === undefined ? sizeOf(from) - start : numberOf(asked)
      spend('copies', countable(size))
      const to = isLong ? given[2] : given[1]
      return callOriginal(original, encoder, [from, start, to, isLong ? given[3] : 0, size])
    }),
    patch(GPUCommandEncoder, 'clearBuffer', (original, encoder, args) => {
      const buffer = args[0]
      const start = args[1] === undefined ? 0 : numberOf(args[1])
      const size = args[2] === undefined ? sizeOf(buffer) - start : numberOf(args[2])
      spend('copies', countable(size))
      return callOriginal(original, encoder, [buffer, start, size])
    }),
  ]
}

/** A query's result is a u64 (WebGPU §20.1). */
const TIMESTAMP_BYTES = 8

function work({ realm, limits, state, spend, refuse, costs, store }: Counting): readonly Patch[] {
  const pipelines = new Records<GPUComputePassEncoder, DispatchCost>()
  return [
    patch(realm.GPUDevice, 'createCommandEncoder', (original, device, args) => {
      spend('encoders', 1)
      return callOriginal(original, device, args)
    }),
    patch(realm.GPUQueue, 'submit', (original, queue, args) => {
      spend('submits', 1)
      return callOriginal(original, queue, args)
    }),
    patch(realm.GPUCommandEncoder, 'beginComputePass', (original, encoder, args) => {
      spend('passes', 1)
      const descriptor = args[0] as unknown as Dictionary
      if (!state.isOpen || !descriptor) return callOriginal(original, encoder, args)
      const { label, timestampWrites } = descriptor
      if (timestampWrites) refuse('In a mend the lab times the passes: a pass cannot have timestampWrites.')
      return callOriginal(original, encoder, [{ __proto__: null, label }])
    }),
    patch(realm.GPUComputePassEncoder, 'setPipeline', (original, pass, args) => {
      const pipeline = args[0] // by index: a program could replace what iterates over arrays
      const result = callOriginal(original, pass, [pipeline])
      pipelines.set(pass, costs.get(pipeline) ?? UNKNOWN_PIPELINE)
      return result
    }),
    patch(realm.GPUComputePassEncoder, 'dispatchWorkgroups', (original, pass, args) => {
      const x = numberOf(args[0])
      const y = args[1] === undefined ? 1 : numberOf(args[1])
      const z = args[2] === undefined ? 1 : numberOf(args[2])
      if (!state.isOpen) return callOriginal(original, pass, [x, y, z])
      spend('dispatches', 1)
      const cost = pipelines.get(pass) ?? NO_PIPELINE
      if (cost.kind === 'refused') return refuse(cost.sentence)
      const workgroups = countable(x * y * z)
      if (cost.kind === 'iterations') {
        spend('iterations', iterationsOfTime(limits, cost, workgroups))
        if (store && cost.fuel) store.bind(pass, cost.fuel, workgroups * cost.invocations)
      } else spend('givenMs', mapGet(cost.dispatches, workgroups) ?? workgroups * cost.perWorkgroup)
      return callOriginal(original, pass, [x, y, z])
    }),
  ]
}

/**
 * The share of a call that a dispatch may take, in `Spending.iterations`: all that it executes, at the pace of many at once, or what one
 * invocation does, where a device is not full: 20,000 dispatches of one workgroup wait for each other, as if each were alone.
 */
function iterationsOfTime(
  limits: Limits,
  { iterations, invocations, isCounted }: Extract<DispatchCost, { readonly kind: 'iterations' }>,
  workgroups: number,
): number {
  const call = isCounted ? limits.counted : limits
  const all = workgroups * invocations * iterations
  const alone = workgroups > 0 ? iterations : 0
  return limits.iterations * max(all / call.iterations, alone / call.serialIterations)
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

/** Of a layout that the program did not make: no module has a store there. */
const NO_GROUP = 4

/** An editor's text is far shorter; a program can make any. */
const MOST_CHARACTERS = 200_000

function shaders({ realm, limits, state, spend, refuse, costs, modules, store }: Counting): readonly Patch[] {
  const { GPUDevice } = realm
  /** Of each explicit layout of the program's: its bind groups. */
  const layouts = new Records<GPUPipelineLayout, readonly GPUBindGroupLayout[]>()
  /** The descriptor as it was read, and what a dispatch will cost. */
  const readPipeline = (
    given: unknown,
  ): { readonly read: object; readonly costOf: (made: GPUComputePipeline) => DispatchCost } => {
    spend('pipelines', 1)
    const { label, layout, compute } = given as NonNullable<Dictionary>
    const { module, entryPoint, constants } = compute as NonNullable<Dictionary>
    const own = module as GPUShaderModule // refused where it is none
    const refusal = modules.refusalOf(own)
    if (refusal !== null) return refuse(refusal)
    const explicit = typeof layout === 'object' && layout !== null ? (layout as GPUPipelineLayout) : null
    const groups = explicit && layouts.get(explicit)
    const found = modules.fueledOf(own, explicit ? (groups?.length ?? NO_GROUP) : null)
    const name = entryPoint === undefined ? undefined : textOf(entryPoint)
    // Undefined: WebGPU itself refuses the pipeline, as there is no such entry point, or no only one.
    const entry = found?.fueled.entryPoints.find((each) => name === undefined || each.name === name)
    if (entry) spend('tokens', lengthOf(entry.cost) * TOKENS_OF_ITERATION)
    const usesStore = store !== null && found !== null && found.group !== null && entry?.hasLoops === true
    const stage = { __proto__: null, module: found?.module ?? module, entryPoint: name, constants }
    const read = {
      __proto__: null,
      label,
      layout: usesStore && explicit && groups ? store.extended(explicit, groups) : layout,
      compute: stage,
    }
    return {
      read,
      costOf: (made) => {
        if (!entry) return NO_ENTRY_POINT
        const invocations = entry.workgroupSize ?? limits.invocationsPerWorkgroup
        const fuel = usesStore
          ? {
              group: found.group,
              pipeline: explicit ? null : made,
              isShared: found.fueled.perInvocation === 0,
              bindGroups: [],
            }
          : null
        const isCounted = found?.fueled.perInvocation !== 0
        return { kind: 'iterations', iterations: entry.worstIterations, invocations, isCounted, fuel }
      },
    }
  }
  return [
    patch(GPUDevice, 'createShaderModule', (original, device, args) => {
      const descriptor = args[0] as unknown as Dictionary
      if (!state.isOpen || !descriptor) return callOriginal(original, device, args)
      spend('pipelines', 1)
      const { label, compilationHints } = descriptor
      const source = textOf(descriptor['code'])
      if (source.length > MOST_CHARACTERS)
        refuse(`A shader module of a mend may have ${countOf(MOST_CHARACTERS)} characters.`)
      return modules.create(device, source, (code) => {
        const read = { __proto__: null, label, code, compilationHints }
        return callOriginal(original, device, [read]) as GPUShaderModule // what the original gives
      })
    }),
    patch(GPUDevice, 'createPipelineLayout', (original, device, args) => {
      const descriptor = args[0] as unknown as Dictionary
      if (!state.isOpen || !descriptor) return callOriginal(original, device, args)
      const { label } = descriptor
      const bindGroupLayouts = listOf(descriptor['bindGroupLayouts'] as Iterable<GPUBindGroupLayout>)
      const read = { __proto__: null, label, bindGroupLayouts }
      const layout = callOriginal(original, device, [read]) as GPUPipelineLayout // what the original gives
      layouts.set(layout, bindGroupLayouts)
      return layout
    }),
    patch(realm.GPUShaderModule, 'getCompilationInfo', (original, module) => {
      spend('pipelines', 1)
      return callOriginal(original, modules.originalOf(module), [])
    }),
    patch(GPUDevice, 'createComputePipeline', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      const { read, costOf } = readPipeline(args[0])
      const pipeline = callOriginal(original, device, [read]) as GPUComputePipeline // what the original gives
      costs.set(pipeline, costOf(pipeline))
      return pipeline
    }),
    patch(GPUDevice, 'createComputePipelineAsync', (original, device, args) => {
      if (!state.isOpen) return callOriginal(original, device, args)
      const { read, costOf } = readPipeline(args[0])
      const promise = callOriginal(original, device, [read]) as Promise<GPUComputePipeline> // what the original gives
      // Before any reaction of the program: it can have none so far.
      react(
        promise,
        (pipeline: GPUComputePipeline) => {
          costs.set(pipeline, costOf(pipeline))
        },
        () => undefined, // the program's own to handle
      )
      return promise
    }),
  ]
}

/** Scopes round a program are the lab's: it pops its own alone. */
function scopes({ realm: { GPUDevice }, state, refuse }: Counting): readonly Patch[] {
  return [
    patch(GPUDevice, 'pushErrorScope', (original, device, args) => {
      const result = callOriginal(original, device, args)
      if (state.isOpen) state.openScopes += 1
      return result
    }),
    patch(GPUDevice, 'popErrorScope', (original, device, args) => {
      if (state.isOpen && state.openScopes === 0)
        refuse('Your program called popErrorScope() once more often than pushErrorScope().')
      if (state.isOpen) state.openScopes -= 1
      return callOriginal(original, device, args)
    }),
  ]
}

/** Their cost is not known when they are encoded, or no mend needs them. */
function refusals({ realm, refuse }: Counting): readonly Patch[] {
  const no = (what: string) => () => refuse(`${what} cannot be used in a mend.`)
  const { GPUDevice, GPUQueue, GPUCommandEncoder } = realm
  return [
    patch(realm.GPUComputePassEncoder, 'dispatchWorkgroupsIndirect', () =>
      refuse(
        'In a mend the number of workgroups must be known: dispatchWorkgroupsIndirect() cannot be used.',
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
