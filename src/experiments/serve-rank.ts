/**
 * One rank of a world, in its thread: does what it is ordered to, records it in a session of its
 * own, and frees all of it at the end.
 */
import { toFault } from '../base/fault'
import { openDevice, RunContext, type DeviceSite, type RunLimits } from '../gpu'
import { createTick } from '../gpu/kernels/calibrate/tick'
import { createLab, type RankProgram } from '../lab/lab'
import { answerPings } from '../lab/ranks/clock-ping'
import { WireError, type WireEnd } from '../lab/ranks/endpoint'
import { PortEndpoint } from '../lab/ranks/port-wire'
import type { OpenCommand, RankReply, RankOutcome, RankCommand, WindowCommand } from '../lab/ranks/protocol'
import { SharedEndpoint, type SharedEndpointOptions } from '../lab/ranks/shared-wire'
import { startRecording, type Realm, type RecordingSession } from '../recorder'
import { buffersOf } from '../trace/assembler'
import { REPEAT_NONE } from '../trace/schema'
import { probeClock } from './clock-probe'

/** The work of a variant's program on this rank and its own device. */
interface RankWork {
  readonly input: object
  /** It runs before each window. */
  readonly before?: () => Promise<void>
  /**
   * It runs after each window, and its answer stands for the program's output. Large results are
   * checked here rather than sent.
   */
  readonly told?: (output: unknown) => unknown
}
/**
 * A rank's half of an experiment (`prepare-rank.ts`), called once for each variant. `prepare.ts`
 * says of this rank what is in `spec`. `site` is null where the world's ranks have no device.
 */
export type PrepareRank<Site = DeviceSite> = (
  site: Site,
  spec: unknown,
  rank: { readonly rank: number; readonly size: number },
) => Promise<RankWork>

export interface RankParts {
  readonly answer: (answer: RankReply, transfer?: Transferable[]) => void
  readonly gpu: () => GPU | undefined
  readonly loadProgram: (url: string) => Promise<RankProgram>
  /** Null: the experiment gives its ranks what `prepare.ts` says. */
  readonly loadPrepare: (experiment: string) => Promise<PrepareRank | null>
  /** Tests pass one, since their ranks share a thread. */
  readonly realm?: Realm | undefined
  readonly wire?: SharedEndpointOptions
}

/** The thread that orders a run waits as long as it likes. It has limits of its own. */
const LIMITS: RunLimits = { silenceMs: 1e9, scopesMs: 10_000, lastCallMs: 1500 }

interface Opened {
  readonly order: OpenCommand
  readonly session: RecordingSession
  /** Null: the rank has no device. */
  readonly context: RunContext | null
  readonly prepare: PrepareRank | null
  readonly end: () => void
}

export function serveRank(parts: RankParts): (order: RankCommand) => void {
  const { answer } = parts
  let opened: Opened | null = null
  const wires = new Map<number, WireEnd>()
  /** A rank's work of each variant. */
  const works = new Map<string, RankWork>()
  let next: { readonly order: WindowCommand; readonly work: RankWork; readonly program: RankProgram } | null =
    null

  const endOf = (size: number): WireEnd => {
    const end = wires.get(size)
    if (!end) throw new Error(`There is no wire of ${String(size)} ranks.`)
    return end
  }
  const isOpen = (): Opened => {
    if (!opened) throw new Error('It was not opened.')
    return opened
  }

  async function open(order: OpenCommand): Promise<void> {
    const { info, hostStepUs, deviceStepNs } = order
    const options = { info, hostStepUs, hostName: 'host', realm: parts.realm }
    if (!order.hasDevice) {
      const session = startRecording(options)
      const prepare = await parts.loadPrepare(info.experiment)
      opened = { order, session, context: null, prepare, end: session.stop.bind(session) }
      return
    }
    const device = await openDevice(parts.gpu())
    const context = RunContext.open(device, { ...options, record: true, deviceStepNs, limits: LIMITS })
    let end: () => void = () => undefined
    const life = new Promise<void>((resolve) => (end = resolve))
    context
      .use(() => life)
      .catch((thrown: unknown) => answer({ type: 'failed', fault: toFault(thrown) }))
      .finally(() => device.destroy())
    const { session } = context
    await probeClock(context, await createTick(context))
    opened = { order, session, context, prepare: await parts.loadPrepare(info.experiment), end }
  }

  async function workOf({ variant, spec, size }: WindowCommand): Promise<RankWork> {
    const { context, prepare, order } = isOpen()
    const known = works.get(variant)
    if (known) return known
    const work = prepare
      ? // The half of an experiment that opens a world without devices asks for none.
        await prepare(context as RunContext, spec, { rank: order.rank, size })
      : { input: spec as object } // prepare.ts wrote it
    works.set(variant, work)
    return work
  }

  async function prepare(order: WindowCommand): Promise<void> {
    const { session } = isOpen()
    session.tag = { repeat: REPEAT_NONE, step: -1 }
    session.recording = order.record
    const work = await workOf(order)
    await work.before?.()
    next = { order, work, program: await parts.loadProgram(order.program) }
    // Until the program waits it may make any call: nobody who waits for it is stuck.
    endOf(order.size).begin()
  }

  async function run(): Promise<void> {
    if (!next) throw new Error('Nothing was prepared.')
    const { order, work, program } = next
    next = null
    const { session, context } = isOpen()
    const end = endOf(order.size)
    let [startNs, endNs] = [Number.NaN, Number.NaN]
    const body = async (): Promise<unknown> => {
      const { send, recv, settled } = recorded(end, session)
      session.lines.url = order.program
      session.lines.fromStacks = order.linesFromStacks
      session.stamps.stamp = order.stamping
      await barrier(end)
      session.tag = { variant: order.variant, repeat: order.repeat, step: -1 }
      startNs = session.now()
      try {
        const device = context?.device.gpu ?? null
        const running = program({
          rank: end.rank,
          size: end.size,
          send,
          recv,
          lab: createLab(session),
          input: work.input,
          device,
        })
        const output = await (context ? context.race(running) : running)
        await settled()
        return output
      } finally {
        endNs = session.now()
        end.end()
        session.stamps.stamp = 'passes'
        session.lines.fromStacks = false
        session.tag = { repeat: REPEAT_NONE, step: -1 }
      }
    }
    const told = async () => {
      const output = await body()
      return work.told ? work.told(output) : output
    }
    const ending = await (context ? inScopes(context, told) : endingOf(told))
    await (context ? context.queue.collect() : session.collect())
    const chunk = session.builder.takeChunk()
    answer({ type: 'ran', ending, startNs, endNs, chunk }, chunk ? buffersOf(chunk) : [])
  }

  const doing = (task: () => Promise<void>, done?: RankReply['type'] & ('opened' | 'prepared')): void => {
    task().then(
      () => {
        if (done) answer({ type: done })
      },
      (thrown: unknown) => answer({ type: 'failed', fault: toFault(thrown) }),
    )
  }

  return (order) => {
    switch (order.type) {
      case 'open':
        doing(() => open(order), 'opened')
        break
      case 'pings':
        answer({ type: 'pinged', atMs: nowMs(isOpen().session) })
        answerPings(order.memory, () => nowMs(isOpen().session))
        break
      case 'ping':
        answer({ type: 'pinged', atMs: nowMs(isOpen().session) })
        break
      case 'wire': {
        const { rank } = isOpen().order
        wires.set(
          order.size,
          'memory' in order
            ? new SharedEndpoint(order.memory, rank, parts.wire)
            : new PortEndpoint(rank, order.ports),
        )
        break
      }
      case 'prepare':
        doing(() => prepare(order), 'prepared')
        break
      case 'go':
        doing(run)
        break
      case 'state': {
        const { state } = endOf(order.size)
        if (state) answer({ type: 'state', state })
        break
      }
      case 'cut':
        endOf(order.size).cut(order.reason)
        break
      case 'end':
        for (const end of wires.values()) if (end instanceof PortEndpoint) end.close()
        opened?.end()
    }
  }
}

/** ms, on the axis of the rank's own trace. */
const nowMs = (session: RecordingSession): number => session.now() / 1e6

async function endingOf(body: () => Promise<unknown>): Promise<RankOutcome> {
  try {
    return { how: 'returned', output: await body() }
  } catch (thrown) {
    return thrown instanceof WireError ? { how: 'cut' } : { how: 'threw', fault: toFault(thrown) }
  }
}

/** An objection of its device ends it as well. */
async function inScopes(context: RunContext, body: () => Promise<unknown>): Promise<RankOutcome> {
  const outcome = await context.attempt(() => endingOf(body))
  return outcome.ok ? outcome.value : { how: 'threw', fault: outcome.error }
}

/** The rank's calls as a program gets them. `settled`: all that it has made have ended. */
function recorded(end: WireEnd, session: RecordingSession) {
  const outstanding = new Set<Promise<void>>()
  const counts = new Map<string, number>()
  const call = (operation: 'send' | 'recv', peer: number, view: ArrayBufferView): Promise<void> => {
    const key = `${operation} ${String(peer)}`
    const sequence = counts.get(key) ?? 0
    counts.set(key, sequence + 1)
    const message = session.messaged(operation, peer, { bytes: view.byteLength, sequence }, () =>
      end[operation](peer, view),
    )
    outstanding.add(message)
    const forget = () => void outstanding.delete(message)
    message.then(forget, forget)
    return message
  }
  return {
    send: (to: number, data: ArrayBufferView) => call('send', to, data),
    recv: (from: number, into: ArrayBufferView) => call('recv', from, into),
    settled: async () => await Promise.all(outstanding),
  }
}

/** Nobody leaves before all have come: rank 0 hears of all, then tells all. */
async function barrier(end: WireEnd): Promise<void> {
  const token = new Uint8Array(1)
  const others = Array.from({ length: end.size - 1 }, (_, index) => index + 1)
  if (end.rank > 0) {
    await end.send(0, token)
    await end.recv(0, token)
    return
  }
  await Promise.all(others.map((rank) => end.recv(rank, new Uint8Array(1))))
  await Promise.all(others.map((rank) => end.send(rank, token)))
}
