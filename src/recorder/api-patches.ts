/** Every patch of WebGPU and what it notes: one row a method. Names are WebGPU’s. */
import type { Buffers } from './buffers'
import type { Devices } from './devices'
import type { Encoders } from './encoders'
import { Features } from './features'
import type { Gate } from './gate'
import { nameOf, nameOfWrite, type SpanWriter } from './span-writer'
import { callOriginal, noted, notedAfter, patch, type Method, type Patch } from './patches'
import { watchPromise } from './promises'
import type { Queues } from './queues'
import type { Natives, Realm } from './realm'
import { added, type Encoding, type Submission } from './records'
import type { Tag } from './records'
import { isSmall, SMALL_WRITES, type JoinedWrites, writtenBytes } from './writes'

export interface Recorded {
  readonly realm: Realm
  readonly natives: Natives
  readonly writer: SpanWriter
  readonly devices: Devices
  readonly buffers: Buffers
  readonly encoders: Encoders
  readonly queues: Queues
  /** Whether the realm's features are asked for when the program requests a device. */
  readonly wantsStamps: boolean
  readonly gate: Gate
}

export const apiPatches = (recorded: Recorded): readonly Patch[] => [
  ...devicePatches(recorded),
  ...encoderPatches(recorded),
  ...queuePatches(recorded),
  ...bufferPatches(recorded),
  ...otherPromises(recorded),
]

function devicePatches({ realm, natives, writer, devices, buffers, encoders, wantsStamps, gate }: Recorded) {
  const features = new Features(natives)
  return [
    ...(wantsStamps ? features.patches(realm) : []),
    patch(realm.GPUAdapter, 'requestDevice', (original, adapter, args) => {
      gate.check()
      const [descriptor] = args
      const asked = wantsStamps ? features.addedTo(adapter, descriptor) : null
      if (!asked) return callOriginal(original, adapter, args)
      const requested = callOriginal(original, adapter, [asked.descriptor]) as Promise<GPUDevice>
      return asked.adds ? features.hiddenIn(requested) : requested
    }),
    patch(realm.GPUDevice, 'createBuffer', (original, device, args) => {
      gate.check()
      const start = writer.now()
      const buffer = callOriginal(original, device, args) as GPUBuffer
      const end = writer.now()
      buffers.created(buffer, devices.of(device), Boolean(args[0].mappedAtCreation))
      const record = buffers.of(buffer)
      // Mapped at creation, its memory is made, and filled with zeros, inside of the call.
      if (record && writer.on)
        writer.host('host-work', 'create', `create ${record.label}`, start, end, {
          bytes: record.sizeBytes,
          line: writer.line('create'),
        })
      return buffer
    }),
    notedAfter(realm.GPUDevice, 'destroy', (device) => {
      devices.lost(device)
    }),
    patch(realm.GPUDevice, 'createCommandEncoder', (original, device, args) => {
      gate.check()
      if (!writer.on) return callOriginal(original, device, args)
      const start = writer.now()
      const encoder = callOriginal(original, device, args) as GPUCommandEncoder
      encoders.created(encoder, devices.of(device), start, nameOf(args[0]?.label))
      return encoder
    }),
  ]
}

function encoderPatches({ realm, writer, encoders, gate }: Recorded) {
  const { GPUCommandEncoder, GPUComputePassEncoder, GPURenderPassEncoder } = realm
  const open = (encoder: GPUCommandEncoder): Encoding | undefined => {
    gate.check()
    return writer.on ? encoders.of(encoder) : undefined
  }
  /** Every call but a pass and a copy of a mappable buffer ends the copies that are being timed. */
  const endCopies = (encoder: GPUCommandEncoder): void => {
    const encoding = open(encoder)
    if (encoding) encoders.closeBracket(encoder, encoding)
  }
  const usesBuffer = (encoder: GPUCommandEncoder, buffer: GPUBuffer): void => {
    const encoding = open(encoder)
    if (encoding) encoders.usesBuffer(encoder, encoding, buffer)
  }
  const nameAfterGroup = (pass: object, [group]: readonly [string]): void => {
    const stamped = encoders.passOf(pass)
    if (stamped?.name === '') stamped.name = nameOf(group)
  }
  const beginning =
    (role: 'pass' | 'render-pass') =>
    (
      original: Parameters<typeof callOriginal>[0],
      encoder: GPUCommandEncoder,
      args: readonly (GPUComputePassDescriptor | GPURenderPassDescriptor | undefined)[],
    ) => {
      const encoding = open(encoder)
      if (!encoding) return callOriginal(original, encoder, args)
      // Not every implementation takes beginComputePass(undefined) for beginComputePass().
      const begin = (descriptor: unknown) =>
        callOriginal(original, encoder, descriptor === undefined ? [] : [descriptor]) as object // a pass
      return encoders.beginPass(encoder, encoding, role, args[0], begin)
    }
  return [
    patch(GPUCommandEncoder, 'beginComputePass', beginning('pass')),
    patch(GPUCommandEncoder, 'beginRenderPass', beginning('render-pass')),
    noted(GPUCommandEncoder, 'copyBufferToBuffer', (encoder, args) => {
      const encoding = open(encoder)
      if (!encoding) return
      const { from, to, bytes } = copyOf(args)
      encoders.beforeCopy(encoder, encoding, from, to, bytes)
    }),
    noted(GPUCommandEncoder, 'copyBufferToTexture', (encoder, [{ buffer }]) => {
      usesBuffer(encoder, buffer)
    }),
    noted(GPUCommandEncoder, 'copyTextureToBuffer', (encoder, [, { buffer }]) => {
      usesBuffer(encoder, buffer)
    }),
    noted(GPUCommandEncoder, 'clearBuffer', endCopies),
    noted(GPUCommandEncoder, 'copyTextureToTexture', endCopies),
    patch(GPUCommandEncoder, 'resolveQuerySet', (original, encoder, args) => {
      endCopies(encoder)
      const result = callOriginal(original, encoder, args)
      const encoding = open(encoder)
      const [querySet, first, count] = args
      if (encoding) encoders.resolved(encoder, encoding, querySet, first, count)
      return result
    }),
    noted(GPUCommandEncoder, 'pushDebugGroup', (encoder, [group]) => {
      const encoding = open(encoder)
      if (encoding) encoding.groups = added(encoding.groups, nameOf(group))
    }),
    noted(GPUCommandEncoder, 'popDebugGroup', (encoder) => {
      open(encoder)?.groups?.pop()
    }),
    noted(GPUComputePassEncoder, 'pushDebugGroup', nameAfterGroup),
    noted(GPURenderPassEncoder, 'pushDebugGroup', nameAfterGroup),
    patch(GPUCommandEncoder, 'finish', (original, encoder, args) => {
      gate.check()
      const encoding = encoders.of(encoder)
      if (!encoding) return callOriginal(original, encoder, args)
      encoders.beforeFinish(encoder, encoding)
      const buffer = callOriginal(original, encoder, args) as GPUCommandBuffer
      encoders.finished(encoder, encoding, buffer, nameOf(args[0]?.label))
      return buffer
    }),
  ]
}

/** The call's two forms: with offsets, and (from, to, size?). */
function copyOf(args: readonly unknown[]): { from: GPUBuffer; to: GPUBuffer; bytes: number } {
  const from = args[0] as GPUBuffer // WebGPU checks it
  const isLong = typeof args[1] !== 'object'
  const to = (isLong ? args[2] : args[1]) as GPUBuffer // likewise
  const size = isLong ? args[4] : args[2]
  const offset = isLong ? Number(args[1]) : 0
  return { from, to, bytes: size === undefined ? from.size - offset : Number(size) }
}

function queuePatches(recorded: Recorded) {
  const { realm, writer, devices, encoders, queues, gate } = recorded
  return [
    patch(realm.GPUQueue, 'submit', (original, queue, args) => {
      gate.check()
      const commands = [...args[0]] // any iterable, an array with an iterator of its own too: read once
      const start = writer.now()
      const result = callOriginal(original, queue, [commands])
      const end = writer.now()
      let encodings: Encoding[] | null = null
      for (const command of commands) {
        const encoding = encoders.takeSubmitted(command)
        if (encoding) encodings = added(encodings, encoding)
      }
      if (!writer.on) return result
      const device = devices.ofQueue(queue) ?? encodings?.[0]?.device
      if (device) queues.submitted(device, encodings ?? [], start, end)
      else writer.builder.reject('submission to a queue whose device was not seen')
      return result
    }),
    writer.writes
      ? joinedWrites(recorded, writer.writes)
      : patch(realm.GPUQueue, 'writeBuffer', (original, queue, args) => {
          gate.check()
          if (!writer.on) return callOriginal(original, queue, args)
          const [buffer, , data, offset, size] = args
          const bytes = writtenBytes(data, offset, size)
          const line = writer.line('write', isSmall(bytes) ? SMALL_WRITES : undefined)
          const start = writer.now()
          const result = callOriginal(original, queue, args)
          const end = writer.now()
          const name = nameOfWrite(buffer.label)
          writer.host('host-work', 'write', name, start, end, { bytes, line })
          writer.onWrite(bytes)
          return result
        }),
    patch(realm.GPUQueue, 'writeTexture', (original, queue, args) => {
      gate.check()
      if (!writer.on) return callOriginal(original, queue, args)
      const line = writer.line('texture')
      const start = writer.now()
      const result = callOriginal(original, queue, args)
      const bytes = writtenBytes(args[1]) - (args[2].offset ?? 0)
      writer.host('host-work', 'texture', 'write texture', start, writer.now(), { bytes, line })
      return result
    }),
    patch(realm.GPUQueue, 'onSubmittedWorkDone', (original, queue, args) => {
      gate.check()
      const promise = callOriginal(original, queue, args) as Promise<undefined>
      if (!writer.on) return promise
      const submission = devices.ofQueue(queue)?.last ?? null
      if (submission) queues.programAsks(submission)
      return watchPromise(promise, realm.Promise, {
        gate,
        waits: () => beginWait(writer, 'wait-done'),
        settled: (wait, fulfilled) => {
          if (submission) answered(queues, submission, fulfilled)
          if (wait) endWait(writer, 'wait-done', 'await onSubmittedWorkDone()', wait, submission)
        },
      })
    }),
  ]
}

/**
 * A page may make hundreds a frame, so a write that joins a span costs no array of arguments, no
 * name and no time.
 */
const joinedWrites = ({ realm, writer, gate }: Recorded, writes: JoinedWrites): Patch => ({
  prototype: realm.GPUQueue.prototype,
  member: 'writeBuffer',
  of: 'value',
  wrap: (original) =>
    // oxlint-disable-next-line typescript/unbound-method -- its `this` is the caller's
    ({
      wrapper(this: unknown, ...args: Parameters<GPUQueue['writeBuffer']>): unknown {
        gate.check()
        if (!writer.on) return Reflect.apply(original, this, args)
        const [buffer, , data, offset, size] = args
        const bytes = writtenBytes(data, offset, size)
        writer.saw('write', isSmall(bytes) ? SMALL_WRITES : undefined)
        writes.before(bytes, writer.tag)
        const result = Reflect.apply(original, this, args)
        writes.after(buffer, bytes)
        writer.onWrite(bytes)
        return result
      },
    }).wrapper as Method,
})

function bufferPatches({ realm, writer, buffers, queues, gate }: Recorded) {
  return [
    patch(realm.GPUBuffer, 'mapAsync', (original, buffer, args) => {
      gate.check()
      const submission = buffers.of(buffer)?.submission ?? null
      const promise = callOriginal(original, buffer, args) as Promise<undefined>
      // A buffer is mapped when all work that uses it is complete (WebGPU §5.4).
      if (submission) queues.programAsks(submission)
      const record = buffers.mapCalled(buffer)
      const { tag } = writer
      const role = record.isReadback ? 'wait-map' : 'wait-staging'
      return watchPromise(promise, realm.Promise, {
        gate,
        waits: () => beginWait(writer, role),
        settled: (wait, fulfilled) => {
          if (submission) answered(queues, submission, fulfilled)
          buffers.mapSettled(record, fulfilled, tag)
          if (wait) endWait(writer, role, `await mapAsync(${record.label})`, wait, submission)
        },
      })
    }),
    patch(realm.GPUBuffer, 'getMappedRange', (original, buffer, args) => {
      gate.check()
      const start = writer.now()
      const range = callOriginal(original, buffer, args) as ArrayBuffer
      buffers.accessed(buffer, start, range.byteLength)
      return range
    }),
    // What cleans up is not interrupted: a program's `finally` must run to its end.
    notedAfter(realm.GPUBuffer, 'unmap', (buffer) => {
      buffers.unmapped(buffer)
    }),
    notedAfter(realm.GPUBuffer, 'destroy', (buffer) => {
      buffers.destroyed(buffer)
    }),
  ]
}

/** These promises say nothing of work on the queue, so awaiting them is no wait for the device. */
function otherPromises({ realm, gate }: Recorded) {
  const { GPUDevice } = realm
  const held = (original: Parameters<typeof callOriginal>[0], self: object, args: readonly unknown[]) => {
    gate.check()
    return gate.given(callOriginal(original, self, args) as Promise<unknown>)
  }
  return [
    // The lab pops its own scopes after a run was interrupted, too.
    patch(GPUDevice, 'popErrorScope', (original, device, args) =>
      gate.given(callOriginal(original, device, args) as Promise<GPUError | null>),
    ),
    patch(GPUDevice, 'createComputePipelineAsync', held),
    patch(GPUDevice, 'createRenderPipelineAsync', held),
    patch(realm.GPUShaderModule, 'getCompilationInfo', held),
  ]
}

function answered(queues: Queues, submission: Submission, fulfilled: boolean): void {
  if (fulfilled) queues.reached(submission)
  else queues.unanswered(submission)
}

type WaitRole = 'wait-map' | 'wait-staging' | 'wait-done'

interface Wait {
  readonly startNs: number
  readonly tag: Tag
  readonly line: number
}

function beginWait(writer: SpanWriter, role: WaitRole): Wait | null {
  if (!writer.on) return null
  const wait = { startNs: writer.now(), tag: writer.tag, line: writer.line(role) }
  writer.flush(false)
  return wait
}

function endWait(
  writer: SpanWriter,
  role: WaitRole,
  name: string,
  { startNs, tag, line }: Wait,
  submission: Submission | null,
): void {
  const span = writer.host('host-wait', role, name, startNs, writer.now(), {
    submission: submission?.id,
    tag,
    line,
  })
  if (!submission || span < 0) return
  // The pass is known by now only where a collect came between.
  if (submission.lastPass >= 0) writer.builder.addFlow(submission.lastPass, span, 'sync')
  else submission.waits = added(submission.waits, span)
}
