/**
 * A program of the lab on the machine that the handles make: as it is, without what sizes, checks
 * and records it, and so in a few ms.
 */
import { keep } from '../../base/buffer-registry'
import { madeOnce } from '../../base/lists'
import { BatchRing } from '../../lab/batch-ring'
import type { Program, RankProgram } from '../../lab/lab'
import type { Batches } from '../../lab/loader'
import { noMake } from '../machines/no-make'
import type { MachineProfile } from '../machine-profile'
import { Machine } from '../machine'
import { ModelledRanks } from '../ranks'
import { realmOf } from '../realm'
import type { DevicePlay, ModelledWorkers, Play, RanksPlay, Seen, Stretch, Values, Work } from './play'

const programs = import.meta.glob<Program | RankProgram>('../../experiments/*/programs/*.js', {
  import: 'default',
})

const USAGE = { mapRead: 1, mapWrite: 2, copySrc: 4, copyDst: 8, uniform: 0x40, storage: 0x80 }
const USAGE_OF = {
  device: USAGE.storage | USAGE.copySrc | USAGE.copyDst,
  staging: USAGE.mapWrite | USAGE.copySrc,
  readback: USAGE.mapRead | USAGE.copyDst,
}

function cardOf({ profile }: DevicePlay, values: Values): MachineProfile {
  const { host, process, device } = profile(values)
  return {
    ...noMake,
    host: { ...noMake.host, ...host },
    process: { ...noMake.process, ...process },
    device: { ...noMake.device, ...device },
  }
}

const zeros = new Map<number, Float32Array>()
const numbers = (bytes: number): Float32Array =>
  keep(madeOnce(zeros, bytes, () => new Float32Array(bytes / 4)))

/**
 * A loader's workers beside the host: batch i is made by worker i mod `workers`, one after the
 * other, each on a core of its own. In which order they are asked for and taken is the lab's ring,
 * as it is. A batch is handed over by a message, without a copy.
 *
 * @param made is given the times of each batch, by worker
 */
function loaderOn(
  { clock, profile }: Machine,
  { workers, makeNs, ahead, bytes }: ModelledWorkers,
  made: Stretch[][],
): Batches {
  const { messageNs } = profile.process
  const freeNs = Array.from({ length: workers }, () => 0)
  const ring = new BatchRing(ahead, bytes, (index, memory) => {
    const worker = index % workers
    const startNs = Math.max(clock.now + messageNs, freeNs[worker] ?? 0)
    const endNs = startNs + makeNs
    freeNs[worker] = endNs
    ;(made[worker] ??= []).push({ startNs, endNs })
    clock.task(endNs + messageNs, () => ring.arrived(index, memory))
  })
  return {
    start: (count) => ring.start(count, ahead),
    next: async () => ring.take() ?? (await ring.wait()),
    giveBack: (batch) => ring.giveBack(batch),
  }
}

const workOn = (device: GPUDevice, machine: Machine, workers: Stretch[][]): Work => ({
  numbers,
  busy: (ns) => () => {
    machine.clock.spend(ns)
  },
  loader: (asked) => loaderOn(machine, asked, workers),
  buffer: (size, use) =>
    device.createBuffer({ size, usage: USAGE_OF[use], mappedAtCreation: use === 'staging' }),
  kernel: (ns) => {
    const uniforms = device.createBuffer({ size: 16, usage: USAGE.uniform | USAGE.copyDst })
    const c = device.createBuffer({ size: 256, usage: USAGE_OF.device })
    device.queue.writeBuffer(uniforms, 0, Uint32Array.of(ns / machine.profile.device.spinNs, 0, 0, 0))
    const pipeline = device.createComputePipeline({
      label: 'calibrate/spin',
      layout: 'auto',
      compute: { module: device.createShaderModule({ code: '' }) },
    })
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [uniforms, c].map((buffer, binding) => ({ binding, resource: { buffer } })),
    })
    const encode = (encoder: GPUCommandEncoder): void => {
      const pass = encoder.beginComputePass()
      pass.setPipeline(pipeline)
      pass.setBindGroup(0, bindGroup)
      pass.dispatchWorkgroups(1)
      pass.end()
    }
    return { pipeline, bindGroup, c, encode }
  },
})

/** For shares and lengths, where a window has fewer. */
const ROUNDS = 4

interface Watched {
  readonly host: Stretch[]
  readonly between: Stretch[]
  readonly passes: Stretch[]
  /** By worker of a loader. */
  readonly workers: Stretch[][]
  /** When the host began each step. */
  readonly steps: number[]
}

/**
 * Sets this thread's globals while it runs: for a worker.
 * @throws ModelError where the program does not end
 */
export async function runPlay(play: Play, values: Values): Promise<Seen> {
  const load = programs[`../../experiments/${play.program.replace('/', '/programs/')}.js`]
  if (!load) throw new Error(`There is no program '${play.program}'.`)
  const program = await load()
  return 'ranks' in play
    ? await runOnRanks(play, program as RankProgram, values)
    : await runOnDevice(play, program as Program, values)
}

async function runOnRanks(play: RanksPlay, program: RankProgram, values: Values): Promise<Seen> {
  const { windowNs } = play
  const size = play.ranks(values)
  const ranks = new ModelledRanks(size, { alphaNs: play.alphaNs(values) })
  const steps: number[] = []
  let endNs = 0
  while (endNs < windowNs) {
    steps.push(endNs)
    await ranks.run(program, () => play.input(values))
    endNs = Math.max(...ranks.now)
  }
  const busyNs = ranks.busy.flat().reduce((sum, stretch) => sum + stretch.endNs - stretch.startNs, 0)
  return {
    windowNs,
    steps,
    host: [],
    waits: [],
    between: [],
    passes: [],
    workers: [],
    ranks: ranks.busy.map((stretches) => cutAt(windowNs, stretches)),
    computes: busyNs / (size * endNs),
    stepNs: endNs / steps.length,
  }
}

async function runOnDevice(play: DevicePlay, program: Program, values: Values): Promise<Seen> {
  const machine = new Machine(cardOf(play, values))
  const { clock } = machine
  const watched: Watched = { host: [], between: [], passes: [], workers: [], steps: [] }
  const { gpu, run } = realmOf(machine)
  const round = play.round?.(values) ?? 1
  let zeroNs = 0
  let sinceNs = 0
  const [ended, begins] = [clock.taskEnded, clock.taskBegins]
  clock.taskEnded = () => {
    watched.host.push({ startNs: sinceNs, endNs: clock.now })
    ended()
  }
  clock.taskBegins = () => {
    begins()
    sinceNs = clock.now
  }
  await run(async () => {
    const device = await (await gpu.requestAdapter())?.requestDevice()
    if (!device) return
    const input = play.input(values, workOn(device, machine, watched.workers))
    await device.queue.onSubmittedWorkDone()
    watched.host.length = 0
    zeroNs = sinceNs = clock.now
    machine.passed = (startNs, endNs) => watched.passes.push({ startNs, endNs })
    machine.process.handled = (startNs, endNs) => watched.between.push({ startNs, endNs })
    const lab = {
      // Runs as far as the picture reaches, and to the end of some rounds.
      *steps(count: number) {
        const isSeen = (step: number) => step > ROUNDS * round && clock.now - zeroNs > play.windowNs
        for (let step = 0; step < count && !isSeen(step); step += 1) {
          watched.steps.push(clock.now)
          yield step
        }
      },
      // No picture shows the result, only the time that it takes.
      compute: <T>() => {
        clock.spend(play.computeNs?.(values) ?? 0)
        return Promise.resolve(input['host'] as T)
      },
    }
    await program({ device, lab, input })
  })
  watched.host.push({ startNs: sinceNs, endNs: clock.now })
  return seenIn(watched, zeroNs, play.windowNs, round)
}

function seenIn(
  { host, between, passes, workers, steps }: Watched,
  zeroNs: number,
  windowNs: number,
  round: number,
): Seen {
  const cut = (stretches: readonly Stretch[]) =>
    cutAt(
      windowNs,
      stretches.map(({ startNs, endNs }) => ({ startNs: startNs - zeroNs, endNs: endNs - zeroNs })),
    )
  const waits = host
    .slice(1)
    .map(({ startNs }, index) => ({ startNs: host[index]?.endNs ?? 0, endNs: startNs }))
  // The first round is left out: it finds the queue empty, and all buffers free.
  const begins = passes.map(({ startNs }) => startNs).filter((_, index) => index > 0 && index % round === 0)
  const [fromNs, toNs] = endsOf(begins)
  const busyNs = passes
    .filter(({ startNs }) => startNs >= fromNs && startNs < toNs)
    .reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)
  // A program without a kernel is timed by its host.
  const [firstNs, lastNs] = passes.length > 0 ? [fromNs, toNs] : endsOf(steps.slice(1))
  const count = passes.length > 0 ? (begins.length - 1) * round : steps.length - 2
  return {
    windowNs,
    steps: steps.map((startNs) => startNs - zeroNs).filter((startNs) => startNs < windowNs),
    host: cut(host),
    waits: cut(waits),
    between: cut(between),
    passes: cut(passes),
    workers: workers.map(cut),
    ranks: [],
    computes: busyNs / Math.max(1, toNs - fromNs),
    stepNs: (lastNs - firstNs) / Math.max(1, count),
  }
}

const cutAt = (windowNs: number, stretches: readonly Stretch[]): readonly Stretch[] =>
  stretches
    .map(({ startNs, endNs }) => ({ startNs: Math.max(0, startNs), endNs: Math.min(windowNs, endNs) }))
    .filter(({ startNs, endNs }) => endNs > startNs)

const endsOf = (times: readonly number[]): readonly [number, number] => [times[0] ?? 0, times.at(-1) ?? 0]
