/**
 * Command encoders: their time from createCommandEncoder() to finish(), the timestamps of their
 * passes, and the mappable buffers that they copy.
 */
import type { Buffers } from './buffers'
import { NO_SLOT } from '../trace/schema'
import { nameOf, prefixed, type SpanWriter } from './span-writer'
import type { Natives } from './realm'
import {
  BriefRecords,
  added,
  type BufferRecord,
  type DeviceRecord,
  type Encoding,
  type Stamped,
} from './records'
import type { StampSlot } from './stamps'

/** 'passes': each pass; 'outer': the first begin and the last end of a command buffer; 'none'. */
export type Stamping = 'passes' | 'outer' | 'none'

export interface StampOptions {
  /** In force when a pass is begun; it may change between command buffers. */
  stamp: Stamping
  /** Least bytes of a copy that is timed; null: none is. */
  readonly minCopyBytes: number | null
}

type PassDescriptor = GPUComputePassDescriptor | GPURenderPassDescriptor

export class Encoders {
  readonly #writer: SpanWriter
  readonly #natives: Natives
  readonly #buffers: Buffers
  readonly #options: StampOptions
  readonly #encodings = new BriefRecords<GPUCommandEncoder, Encoding>()
  readonly #finished = new BriefRecords<GPUCommandBuffer, Encoding>()
  readonly #passes = new WeakMap<object, Stamped>()
  /** Not submitted. */
  #open: Encoding[] = []

  constructor(writer: SpanWriter, natives: Natives, buffers: Buffers, options: StampOptions) {
    this.#writer = writer
    this.#natives = natives
    this.#buffers = buffers
    this.#options = options
  }

  created(encoder: GPUCommandEncoder, device: DeviceRecord, startNs: number, label: string): void {
    const encoding: Encoding = {
      device,
      startNs,
      tag: this.#writer.tag,
      line: this.#writer.line('encode'),
      label,
      endNs: Number.NaN,
      stamped: null,
      uses: null,
      groups: null,
      resolving: null,
      bracket: null,
      outer: null,
      isSubmitted: false,
      isWritten: false,
      at: this.#open.length,
    }
    this.#open.push(encoding)
    this.#encodings.set(encoder, encoding)
  }

  /** Until it is finished. */
  of(encoder: GPUCommandEncoder): Encoding | undefined {
    return this.#encodings.get(encoder)
  }

  /** Of a pass that was begun while recording was on. */
  passOf(pass: object): Stamped | undefined {
    return this.#passes.get(pass)
  }

  /** The descriptor to begin the pass with: the program's own, or a copy with timestamps. */
  beginPass<Descriptor extends PassDescriptor>(
    encoder: GPUCommandEncoder,
    encoding: Encoding,
    role: 'pass' | 'render-pass',
    descriptor: Descriptor | undefined,
    begin: (descriptor: Descriptor | undefined) => object,
  ): object {
    this.closeBracket(encoder, encoding)
    const { stamp } = this.#options
    const isOuter = stamp === 'outer'
    const pool = stamp === 'none' ? null : encoding.device.pool
    const ofPage = pool && descriptor?.timestampWrites
    const slot = ofPage || (isOuter && encoding.outer) ? null : (pool?.take() ?? null)
    const writes = slot && (isOuter ? beginningOf(slot) : pool?.writes(slot))
    let pass: object
    try {
      pass = begin(writes ? withWrites(descriptor, writes) : descriptor)
    } catch (thrown) {
      if (slot) pool?.release(slot)
      throw thrown
    }
    const label = nameOf(descriptor?.label)
    const name = label === '' ? (encoding.groups?.at(-1) ?? '') : label
    const stamped = this.#stamped(role, name, isOuter ? null : slot, Boolean(ofPage))
    this.#passes.set(pass, stamped)
    if (ofPage) encoding.device.pageStamps?.wrote(stamped, ofPage)
    if (!isOuter || ofPage) encoding.stamped = added(encoding.stamped, stamped)
    else if (encoding.outer) {
      // One span for all passes of the command buffer: their work adds up in it.
      encoding.outer.name = 'passes'
      this.#passes.set(pass, encoding.outer)
    } else if (slot) {
      encoding.outer = { ...stamped, slot }
      this.#passes.set(pass, encoding.outer)
      encoding.stamped = added(encoding.stamped, encoding.outer)
    }
    return pass
  }

  /** The page has resolved queries, maybe of its own timestamps. */
  resolved(
    encoder: GPUCommandEncoder,
    encoding: Encoding,
    querySet: GPUQuerySet,
    first: number,
    count: number,
  ): void {
    if (encoding.device.pageStamps?.resolved(encoder, encoding, querySet, first, count) === false)
      this.#writer.builder.reject(NO_SLOT)
  }

  /** Before a copy between buffers is encoded. */
  beforeCopy(
    encoder: GPUCommandEncoder,
    encoding: Encoding,
    from: GPUBuffer,
    to: GPUBuffer,
    bytes: number,
  ): void {
    const source = this.#buffers.of(from)
    const target = this.#buffers.of(to)
    if (source) encoding.uses = added(encoding.uses, { buffer: source, bytes })
    if (target) encoding.uses = added(encoding.uses, { buffer: target, bytes })
    if (source || target) this.#bracket(encoder, encoding, source, bytes)
    else this.closeBracket(encoder, encoding)
  }

  /** A copy between a buffer and a texture; it is not timed. */
  usesBuffer(encoder: GPUCommandEncoder, encoding: Encoding, buffer: GPUBuffer): void {
    this.closeBracket(encoder, encoding)
    const record = this.#buffers.of(buffer)
    if (record) encoding.uses = added(encoding.uses, { buffer: record, bytes: record.sizeBytes })
  }

  /** Ends the copies that are being timed: something else is encoded now. */
  closeBracket(encoder: GPUCommandEncoder, encoding: Encoding): void {
    const { bracket } = encoding
    if (!bracket?.slot) return
    encoding.bracket = null
    this.#emptyPass(encoder, endOf(bracket.slot))
  }

  /** Before finish(). */
  beforeFinish(encoder: GPUCommandEncoder, encoding: Encoding): void {
    this.closeBracket(encoder, encoding)
    const slot = encoding.outer?.slot
    if (slot) this.#emptyPass(encoder, endOf(slot))
    if (encoding.label === '') encoding.label = nameOf(encoder.label)
  }

  finished(encoder: GPUCommandEncoder, encoding: Encoding, buffer: GPUCommandBuffer, label = ''): void {
    encoding.endNs = this.#writer.now()
    if (encoding.label === '') encoding.label = label
    this.#encodings.done(encoder)
    this.#finished.set(buffer, encoding)
  }

  /** The encoding of a command buffer that is being submitted; once. */
  takeSubmitted(buffer: GPUCommandBuffer): Encoding | undefined {
    const encoding = this.#finished.get(buffer)
    if (!encoding || encoding.isSubmitted) return undefined
    encoding.isSubmitted = true
    this.#finished.done(buffer)
    this.#forget(encoding)
    const { pool } = encoding.device
    if (pool && encoding.stamped) for (const { slot } of encoding.stamped) if (slot) pool.release(slot)
    encoding.device.pageStamps?.submitted(encoding)
    return encoding
  }

  /**
   * Writes the spans of command buffers that are finished and not submitted so far. They carry no
   * submission.
   */
  writeUnsubmitted(): void {
    for (const encoding of this.#open.filter(({ endNs }) => endNs >= 0)) {
      this.writeEncodeSpan(encoding)
      this.#forget(encoding)
    }
  }

  /** Encoders that were never finished: the program threw, or let them go. */
  get unfinished(): number {
    return this.#open.length
  }

  /** Once; where a command buffer is submitted after a collect, its span is written already. */
  writeEncodeSpan(encoding: Encoding, submission?: number): void {
    if (encoding.isWritten) return
    encoding.isWritten = true
    const { label, startNs, endNs, tag, line } = encoding
    this.#writer.host('encode', 'encode', prefixed('encode', label), startNs, endNs, {
      submission,
      tag,
      line,
    })
  }

  #forget(encoding: Encoding): void {
    if (encoding.at < 0) return
    const last = this.#open.pop()
    if (last && last !== encoding) {
      last.at = encoding.at
      this.#open[encoding.at] = last
    }
    encoding.at = -1
  }

  #stamped(role: Stamped['role'], name: string, slot: StampSlot | null, isOfPage = false): Stamped {
    return {
      role,
      name,
      tag: this.#writer.tag,
      line: this.#writer.line(role),
      slot,
      isOfPage,
      ofPage: null,
      bytes: undefined,
      flops: undefined,
      sources: null,
      fills: null,
      durationNs: undefined,
    }
  }

  #bracket(
    encoder: GPUCommandEncoder,
    encoding: Encoding,
    source: BufferRecord | undefined,
    bytes: number,
  ): void {
    const { minCopyBytes, stamp } = this.#options
    const { pool, copyTimingWorks } = encoding.device
    if (!pool || stamp === 'none' || minCopyBytes === null || bytes < minCopyBytes || !copyTimingWorks) {
      this.closeBracket(encoder, encoding)
      return
    }
    if (!encoding.bracket) {
      const slot = pool.take()
      if (!slot) return
      const name = source ? `copy from ${source.label}` : 'copy to readback'
      encoding.bracket = this.#stamped('copy', name, slot)
      encoding.stamped = added(encoding.stamped, encoding.bracket)
      this.#emptyPass(encoder, { querySet: slot.set.querySet, endOfPassWriteIndex: slot.index })
    }
    encoding.bracket.bytes = (encoding.bracket.bytes ?? 0) + bytes
    if (source) encoding.bracket.sources = added(encoding.bracket.sources, source)
  }

  #emptyPass(encoder: GPUCommandEncoder, timestampWrites: GPUComputePassTimestampWrites): void {
    const pass = this.#natives.beginComputePass(encoder, {
      label: 'recorder: timestamp',
      timestampWrites,
    })
    this.#natives.endComputePass(pass)
  }
}

const beginningOf = ({ set, index }: StampSlot): GPUComputePassTimestampWrites => ({
  querySet: set.querySet,
  beginningOfPassWriteIndex: index,
})
const endOf = ({ set, index }: StampSlot): GPUComputePassTimestampWrites => ({
  querySet: set.querySet,
  endOfPassWriteIndex: index + 1,
})

/**
 * Leaves the program’s descriptor as it is. Inherited members count too (WebIDL reads members by
 * Get).
 */
function withWrites<Descriptor extends PassDescriptor>(
  descriptor: Descriptor | undefined,
  timestampWrites: GPUComputePassTimestampWrites,
): Descriptor {
  const isPlain = !descriptor || Reflect.getPrototypeOf(descriptor) === Object.prototype
  if (isPlain && hasOnlyLabel(descriptor))
    return { label: descriptor?.label ?? '', timestampWrites } as Descriptor // nothing else is in it
  const copy: unknown = isPlain
    ? { ...descriptor, timestampWrites }
    : Object.create(descriptor, { timestampWrites: { value: timestampWrites } })
  return copy as Descriptor // the same members and one more
}

/** Copying such a descriptor member by member takes a tenth of the time of `...`. */
function hasOnlyLabel(descriptor: PassDescriptor | undefined): boolean {
  for (const member in descriptor) if (member !== 'label') return false
  return true
}
