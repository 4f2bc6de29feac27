/**
 * The lab's own kernels, driven as a page would that uses them: DISPATCHES_PER_SUBMIT of them in
 * one pass and one submit. Which kernel and which tile is known for each shape (fastest.ts).
 */
import {
  encodeDispatch,
  openDevice,
  RunContext,
  USAGE,
  encodePass,
  type Dispatch,
  type LabDevice,
  type OwnedBuffer,
} from '../../src/gpu'
import { describeDevice, measureClocks } from '../../src/experiments/environment'
import type { MatmulKernel, MatmulShape } from '../../src/gpu/kernels/catalog'
import { fillKernel } from '../../src/gpu/kernels/data/fill'
import { kernelCall } from '../../src/gpu/kernels/kernel'
import type { DeviceFacts, Environment } from '../../src/trace/report'
import { SEED_A, SEED_B } from './check'
import type { Contender, Operands } from './contender'
import { fastestMatmul } from './fastest'

const DISPATCHES_PER_SUBMIT = 16
const STORAGE = USAGE.storage | USAGE.copySrc | USAGE.copyDst

/** The device and its clock steps. */
type BenchEnvironment = DeviceFacts & Pick<Environment, 'hostClockStepUs' | 'deviceClockStepNs'>

function openContext(device: LabDevice, environment: BenchEnvironment): RunContext {
  return RunContext.open(device, {
    record: false,
    hostStepUs: environment.hostClockStepUs,
    deviceStepNs: environment.deviceClockStepNs,
    info: {
      experiment: 'bench matmul',
      params: {},
      derived: {},
      adapter: device.info,
      userAgent: environment.userAgent,
      crossOriginIsolated: environment.crossOriginIsolated,
      startedAt: new Date().toISOString(),
      origin: 'live',
    },
  })
}

async function buildKernel(
  context: RunContext,
  { shape, resultsAlive }: Operands,
  kernel: MatmulKernel,
  full: MatmulShape,
): Promise<Omit<Contender, 'release'>> {
  const { gpu } = context.device
  const operand = async (name: string, count: number, seed: number) => {
    const buffer = await context.buffer(`bench ${name}`, count * 4, STORAGE)
    const fill = await context.dispatch(kernelCall(fillKernel, { count, seed }), [buffer])
    await context.queue.wait(context.queue.submit('fill', (encoder) => encodePass(encoder, 'fill', [fill])))
    return buffer
  }
  const a = await operand('A', shape.m * shape.k, SEED_A)
  const b = await operand('B', shape.k * shape.n, SEED_B)
  const call = kernelCall(kernel, full)
  const results: { readonly c: OwnedBuffer; readonly dispatch: Dispatch }[] = []
  for (let index = 0; index < resultsAlive; index += 1) {
    const c = await context.buffer(`bench C${String(index)}`, shape.m * shape.n * 4, STORAGE)
    results.push({ c, dispatch: await context.dispatch(call, [a, b, c]) })
  }
  let next = 0
  let newest = results[0]
  return {
    kernel: `${kernel.id} ${kernel.tileFor(full).name}`,
    device: gpu,
    unit: 1,
    enqueue: (products) => {
      for (let done = 0; done < products;) {
        const encoder = gpu.createCommandEncoder()
        const pass = encoder.beginComputePass()
        const until = Math.min(products, done + DISPATCHES_PER_SUBMIT)
        for (; done < until; done += 1) {
          newest = results[next]
          if (!newest) throw new Error('a ring of results has two at least')
          next = (next + 1) % results.length
          encodeDispatch(pass, newest.dispatch)
        }
        pass.end()
        gpu.queue.submit([encoder.finish()])
      }
      return Promise.resolve()
    },
    newest: () => {
      if (!newest) throw new Error('a ring of results has two at least')
      return newest.c.gpu
    },
  }
}

export async function openLab() {
  const device = await openDevice(navigator.gpu)
  const environment = { ...describeDevice(device), ...(await measureClocks(device)) }
  return {
    device: device.gpu,
    environment,
    prepare: async (operands: Operands): Promise<Contender> => {
      const full = { ...operands.shape, alpha: 1, accumulate: false }
      const context = openContext(device, environment)
      // Using it for nothing frees all that it owns.
      const release = () => context.use(() => Promise.resolve())
      try {
        return { ...(await buildKernel(context, operands, fastestMatmul(full, device), full)), release }
      } catch (thrown) {
        await release()
        throw thrown
      }
    },
  }
}
