/**
 * What the recorder costs the host alone: its JavaScript, over a WebGPU whose methods do nothing, and the calls that it makes beside the
 * program's. In Node; a browser's bindings are not in it.
 */
import { startRecording, type Realm } from '../src/recorder'
import { BENCH_INFO } from './recorder-arms'

/** µs of a submission, and calls that the recorder itself makes for one. */
export interface HostCost {
  /** Of many that are queued. */
  readonly us: number
  /** Of one that is awaited before the next. */
  readonly awaitedUs: number
  readonly calls: Readonly<Record<string, number>>
}

const SUBMITS = 4000
const TRIALS = 15

/** Methods count how often they are called, and nothing else. */
function emptyRealm() {
  const calls = new Map<string, number>()
  const count = (name: string): void => {
    calls.set(name, (calls.get(name) ?? 0) + 1)
  }
  const answered: (() => void)[] = []
  class Base {
    get label(): string {
      return ''
    }
  }
  class Pass extends Base {
    setPipeline(): void {}
    dispatchWorkgroups(): void {}
    pushDebugGroup(): void {}
    end(): void {}
  }
  class GPUComputePassEncoder extends Pass {
    override pushDebugGroup(): void {}
  }
  class GPURenderPassEncoder extends Pass {
    override pushDebugGroup(): void {}
  }
  class GPUCommandEncoder extends Base {
    beginComputePass(): object {
      count('beginComputePass')
      return new GPUComputePassEncoder()
    }
    beginRenderPass(): void {}
    copyBufferToBuffer(): void {}
    copyBufferToTexture(): void {}
    copyTextureToBuffer(): void {}
    copyTextureToTexture(): void {}
    clearBuffer(): void {}
    resolveQuerySet(): void {}
    pushDebugGroup(): void {}
    popDebugGroup(): void {}
    finish(): object {
      count('finish')
      return new Base()
    }
  }
  class GPUQueue extends Base {
    submit(): void {
      count('submit')
    }
    writeBuffer(): void {}
    writeTexture(): void {}
    onSubmittedWorkDone(): Promise<undefined> {
      count('onSubmittedWorkDone')
      return new Promise((resolve) => {
        answered.push(() => {
          resolve(undefined)
        })
      })
    }
  }
  class GPUBuffer extends Base {
    readonly size = 2 ** 20
    readonly usage = 0
    mapAsync(): Promise<undefined> {
      return Promise.resolve(undefined)
    }
    getMappedRange(): ArrayBuffer {
      return new ArrayBuffer(this.size)
    }
    unmap(): void {}
    destroy(): void {}
  }
  class GPUQuerySet extends Base {
    destroy(): void {}
  }
  class GPUDevice extends Base {
    readonly features = new Set(['timestamp-query'])
    readonly queue = new GPUQueue()
    readonly lost = new Promise<never>(() => undefined)
    createBuffer(): GPUBuffer {
      return new GPUBuffer()
    }
    createQuerySet(): GPUQuerySet {
      return new GPUQuerySet()
    }
    createCommandEncoder(): GPUCommandEncoder {
      count('createCommandEncoder')
      return new GPUCommandEncoder()
    }
    pushErrorScope(): void {
      count('pushErrorScope')
    }
    popErrorScope(): Promise<null> {
      return Promise.resolve(null)
    }
  }
  class GPUShaderModule extends Base {
    getCompilationInfo(): void {}
  }
  class GPUAdapter extends Base {
    requestDevice(): void {}
  }
  const classes = {
    GPUAdapter,
    GPUDevice,
    GPUQueue,
    GPUBuffer,
    GPUQuerySet,
    GPUCommandEncoder,
    GPUComputePassEncoder,
    GPURenderPassEncoder,
    GPUShaderModule,
    Promise,
    performance,
  }
  return {
    // Only the methods that are called here do anything at all.
    realm: classes as unknown as Realm,
    device: new GPUDevice() as unknown as globalThis.GPUDevice,
    calls,
    answer: (): void => {
      for (const resolve of answered.splice(0)) resolve()
    },
  }
}

/** Submissions of one pass each: all queued, then answered, or each awaited. */
export async function hostCost(): Promise<HostCost> {
  const { realm, device, calls, answer } = emptyRealm()
  const step = (): void => {
    const encoder = device.createCommandEncoder({ label: 'step' })
    const pass = encoder.beginComputePass({ label: 'kernel' })
    pass.dispatchWorkgroups(64)
    pass.end()
    device.queue.submit([encoder.finish()])
  }
  const queued = async (): Promise<void> => {
    for (let at = 0; at < SUBMITS; at += 1) step()
    answer()
    await Promise.resolve()
  }
  const awaited = async (): Promise<void> => {
    for (let at = 0; at < SUBMITS; at += 1) {
      step()
      const done = device.queue.onSubmittedWorkDone()
      answer()
      await done
    }
  }
  const recorded = async (run: () => Promise<number>): Promise<number> => {
    const session = startRecording({
      realm,
      info: BENCH_INFO,
      hostStepUs: 5,
    })
    session.attach(device, { deviceStepNs: 1 })
    try {
      return await run()
    } finally {
      session.stop()
    }
  }
  /** Of the shortest trial: what else the machine does only adds. */
  const extraOf = async (program: () => Promise<void>): Promise<number> => {
    const run = async (): Promise<number> => {
      const start = performance.now()
      await program()
      return ((performance.now() - start) * 1e3) / SUBMITS
    }
    const bare: number[] = []
    const under: number[] = []
    for (let trial = 0; trial < TRIALS; trial += 1) {
      bare.push(await run())
      under.push(await recorded(run))
    }
    return Math.min(...under) - Math.min(...bare)
  }
  const us = await extraOf(queued)
  const awaitedUs = await extraOf(awaited)
  calls.clear()
  await queued()
  const own = new Map(calls)
  calls.clear()
  await recorded(async () => {
    await queued()
    return 0
  })
  const extraCalls = [...calls].map(
    ([name, made]) => [name, (made - (own.get(name) ?? 0)) / SUBMITS] as const,
  )
  return { us, awaitedUs, calls: Object.fromEntries(extraCalls.filter(([, made]) => made !== 0)) }
}
