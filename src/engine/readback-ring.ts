/**
 * Readback ring: reused MAP_READ buffers. The copy is recorded into the step's own command buffer; the host then awaits
 * mapAsync(), which resolves when that submission is done (WebGPU §5.4). This await is what `.item()` hides.
 */
import { alignTo4, createBuffer, MAP_MODE, USAGE, type OwnedBuffer } from './buffers'
import type { LabDevice } from './device'
import type { Encoding, LabQueue, Submission } from './queue'
import type { Recorder } from './recorder'

export class ReadbackRing {
  readonly #buffers: readonly OwnedBuffer[]
  readonly #queue: LabQueue
  readonly #recorder: Recorder
  #next = 0

  private constructor(buffers: readonly OwnedBuffer[], queue: LabQueue, recorder: Recorder) {
    this.#buffers = buffers
    this.#queue = queue
    this.#recorder = recorder
  }

  static async create(
    device: LabDevice,
    recorder: Recorder,
    queue: LabQueue,
    count: number,
    sizeBytes: number,
  ): Promise<ReadbackRing> {
    const buffers: OwnedBuffer[] = []
    for (let index = 0; index < count; index += 1)
      buffers.push(
        await createBuffer(device, `readback ${String(index)}`, sizeBytes, USAGE.mapRead | USAGE.copyDst),
      )
    return new ReadbackRing(buffers, queue, recorder)
  }

  /** Records the copy; call `read` with the returned buffer once submitted. */
  encodeCopy(encoding: Encoding, from: OwnedBuffer, fromOffset: number, sizeBytes: number): OwnedBuffer {
    const buffer = this.#buffers[this.#next]
    if (!buffer) throw new Error('a readback ring needs at least one buffer')
    this.#next = (this.#next + 1) % this.#buffers.length
    encoding.copy(from, fromOffset, buffer, 0, alignTo4(sizeBytes))
    return buffer
  }

  /** Awaits and copies the bytes out. Records the wait and the copying as two spans: waiting is not reading. */
  async read(buffer: OwnedBuffer, submission: Submission, sizeBytes: number): Promise<ArrayBuffer> {
    const size = alignTo4(sizeBytes)
    await this.#queue.waitFor(
      submission,
      'await mapAsync(): readback',
      buffer.gpu.mapAsync(MAP_MODE.read, 0, size),
    )
    const start = this.#recorder.now()
    const copy = buffer.gpu.getMappedRange(0, size).slice(0)
    buffer.gpu.unmap()
    this.#recorder.host('host-work', 'read the mapped range', start, this.#recorder.now(), {
      bytes: sizeBytes,
    })
    return copy
  }

  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy()
  }
}
