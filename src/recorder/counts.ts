/**
 * Counts what a page does too often to be stored call by call: draws, binds, objects made and
 * destroyed, bytes uploaded by path. Each frame’s number of each is a sample of a counter of the
 * trace, at the frame’s beginning. The sum of the samples is the total.
 */
import { COMPUTE_PASSES, RENDER_PASSES, type Trace } from '../trace/schema'
import type { SpanWriter } from './span-writer'
import { USAGE } from './stamps'
import { callOriginal, counting, patchNamed, type Patch } from './patches'
import { isSmall, SMALL_WRITES, copiedBytes, writtenBytes } from './writes'

/** In the trace by these names. */
const COUNTED = [
  COMPUTE_PASSES,
  RENDER_PASSES,
  'draws',
  'buffers made',
  'buffers destroyed',
  'textures made',
  'textures destroyed',
  'bind groups made',
  'pipelines made',
  'presents',
  'writeBuffer calls',
  'writeBuffer bytes',
  'writeBuffer calls up to 256 bytes',
  'writeTexture calls',
  'writeTexture bytes',
  'mappedAtCreation calls',
  'mappedAtCreation bytes',
  'mapped calls',
  'mapped bytes',
  'copyExternalImageToTexture calls',
  'copyExternalImageToTexture bytes',
  'empty submits',
  'submits to lost devices',
] as const
type Counted = (typeof COUNTED)[number]

const INDEX = Object.fromEntries(COUNTED.map((name, index) => [name, index])) as Readonly<
  Record<Counted, number>
> // of all
const DRAWS = [
  'draw',
  'drawIndexed',
  'drawIndirect',
  'drawIndexedIndirect',
  'multiDrawIndirect',
  'multiDrawIndexedIndirect',
]
/** Class, method, and what a call counts as. One that a browser does not have is passed over. */
const METHODS: readonly (readonly [owner: string, member: string, Counted])[] = [
  ...['GPURenderPassEncoder', 'GPURenderBundleEncoder'].flatMap((owner) =>
    DRAWS.map((member) => [owner, member, 'draws'] as const),
  ),
  ['GPUCommandEncoder', 'beginComputePass', COMPUTE_PASSES],
  ['GPUCommandEncoder', 'beginRenderPass', RENDER_PASSES],
]
/** The same; where in the page's scripts is noted too. */
const MAKERS: typeof METHODS = [
  ['GPUDevice', 'createBuffer', 'buffers made'],
  ['GPUBuffer', 'destroy', 'buffers destroyed'],
  ['GPUDevice', 'createTexture', 'textures made'],
  ['GPUTexture', 'destroy', 'textures destroyed'],
  ['GPUDevice', 'createBindGroup', 'bind groups made'],
]

export class Counts {
  readonly #writer: SpanWriter
  /** Since the last sample. */
  readonly #now = new Float64Array(COUNTED.length)
  readonly #mappedAtCreation = new WeakMap<GPUBuffer, true>()
  readonly #textures = new WeakMap<object, object>()

  constructor(writer: SpanWriter) {
    this.#writer = writer
  }

  /** What was counted since the last sample, at the time that it began. */
  sample(timeNs: number): void {
    for (const [index, name] of COUNTED.entries()) {
      const value = this.#now[index] ?? 0
      if (value !== 0 || this.#writer.counts(name)) this.#writer.sample(name, unitOf(name), timeNs, value)
    }
    this.#now.fill(0)
  }

  /** The trace with what was counted since the last sample, which goes on. */
  into(trace: Trace, timeNs: number): Trace {
    const counters = [...trace.counters]
    for (const [index, name] of COUNTED.entries()) {
      const value = this.#now[index] ?? 0
      if (value === 0) continue
      const at = counters.findIndex((counter) => counter.name === name)
      const old = counters[at]
      const one = {
        ...(old ?? { name, unit: unitOf(name), lane: this.#writer.hostLane }),
        timeNs: Float64Array.of(...(old?.timeNs ?? []), timeNs),
        value: Float64Array.of(...(old?.value ?? []), value),
        length: (old?.length ?? 0) + 1,
      }
      counters.splice(at < 0 ? counters.length : at, 1, one)
    }
    return { ...trace, counters }
  }

  patches(realm: object): readonly Patch[] {
    const add = (what: Counted, amount = 1): void => {
      this.#now[INDEX[what]] = (this.#now[INDEX[what]] ?? 0) + amount
    }
    this.#writer.onWrite = (bytes) => {
      add('writeBuffer calls')
      add('writeBuffer bytes', bytes)
      if (isSmall(bytes)) add(SMALL_WRITES)
    }
    this.#writer.onVain = (why) => {
      add(why === 'empty' ? 'empty submits' : 'submits to lost devices')
    }
    const writer = this.#writer
    return [
      // These hold the page up.
      ...['createComputePipeline', 'createRenderPipeline'].flatMap((member) =>
        patchNamed(classOf(realm, 'GPUDevice'), member, (original, device, args) => {
          add('pipelines made')
          const line = writer.line('compile', 'pipelines made')
          const start = writer.now()
          const pipeline = callOriginal(original, device, args)
          writer.host('host-work', 'compile', 'make a pipeline', start, writer.now(), { line })
          return pipeline
        }),
      ),
      ...patchNamed(classOf(realm, 'GPUQueue'), 'copyExternalImageToTexture', (original, queue, args) => {
        const line = writer.line('image')
        const start = writer.now()
        const result = callOriginal(original, queue, args)
        const end = writer.now()
        const bytes = copiedBytes(args[1] as GPUTexelCopyTextureInfo, args[2] as GPUExtent3D)
        writer.host('host-work', 'image', 'copy an image', start, end, { bytes, line })
        add('copyExternalImageToTexture calls')
        add('copyExternalImageToTexture bytes', bytes)
        return result
      }),
      ...METHODS.flatMap(([owner, member, what]) =>
        counting(classOf(realm, owner), member, this.#now, INDEX[what]),
      ),
      ...MAKERS.flatMap(([owner, member, what]) =>
        patchNamed(classOf(realm, owner), member, (original, self, args) => {
          add(what)
          this.#writer.saw(what)
          return callOriginal(original, self, args)
        }),
      ),
      ...patchNamed(classOf(realm, 'GPUQueue'), 'writeTexture', (original, queue, args) => {
        const result = callOriginal(original, queue, args)
        const { offset = 0 } = args[2] as GPUTexelCopyBufferLayout
        add('writeTexture calls')
        add('writeTexture bytes', writtenBytes(args[1] as object) - offset)
        return result
      }),
      ...patchNamed(classOf(realm, 'GPUDevice'), 'createBuffer', (original, device, args) => {
        const buffer = callOriginal(original, device, args) as GPUBuffer
        if ((args[0] as GPUBufferDescriptor).mappedAtCreation !== true) return buffer
        this.#mappedAtCreation.set(buffer, true)
        add('mappedAtCreation calls')
        add('mappedAtCreation bytes', buffer.size)
        return buffer
      }),
      ...patchNamed(classOf(realm, 'GPUBuffer'), 'getMappedRange', (original, self, args) => {
        const range = callOriginal(original, self, args) as ArrayBuffer
        const buffer = self as GPUBuffer // the call succeeded
        if ((buffer.usage & USAGE.mapWrite) === 0 || this.#mappedAtCreation.get(buffer)) return range
        add('mapped calls')
        add('mapped bytes', range.byteLength)
        return range
      }),
      // A canvas gives a new texture for each frame that it shows, and the same one until then.
      ...patchNamed(classOf(realm, 'GPUCanvasContext'), 'getCurrentTexture', (original, context, args) => {
        const texture = callOriginal(original, context, args) as object
        if (this.#textures.get(context) !== texture) add('presents')
        this.#textures.set(context, texture)
        return texture
      }),
    ]
  }
}

const unitOf = (name: string): string =>
  name.endsWith('bytes') && !name.includes('up to') ? 'bytes' : 'calls'

/** A class of the realm; undefined where this browser has none of that name. */
export const classOf = (realm: object, name: string): { readonly prototype: object } | undefined =>
  Reflect.getOwnPropertyDescriptor(realm, name)?.value as { readonly prototype: object } | undefined
