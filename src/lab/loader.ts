/**
 * A DataLoader as programs use it: workers make the batches, so many ahead of the program, and the
 * program takes them in order. As in PyTorch, batch i is made by worker i mod `workers`. What a
 * worker did stands on a lane of its own in the trace, and the program's waiting for a batch on the
 * host's.
 */
import type { RunContext } from '../gpu'
import { fail, succeed, toFault, type Result } from '../base/fault'
import { whenDead } from '../base/workers'
import { withTimeout } from '../base/with-timeout'
import type { BatchMaker, BatchOptions } from './batch-maker'
import { BatchRing } from './batch-ring'

/** To the loader's worker. Memory is transferred, there and back: no batch is copied on its way. */
export type LoaderRequest =
  | { readonly type: 'open'; readonly options: BatchOptions }
  | { readonly type: 'make'; readonly index: number; readonly memory: ArrayBuffer }

export type LoaderAnswer =
  | { readonly type: 'opened' }
  | {
      readonly type: 'made'
      readonly index: number
      readonly memory: ArrayBuffer
      /** performance.timeOrigin and performance.now() of the worker, ms. */
      readonly timeOriginMs: number
      readonly startMs: number
      readonly endMs: number
    }

/** The loader as a program sees it. */
export interface Batches {
  /** The workers begin with batch 0. */
  readonly start: (count: number) => void
  /** Settles with the next batch: at once where it is made already. */
  readonly next: () => Promise<Float32Array<ArrayBuffer>>
  /** The batch has been copied out: its memory is for another. Before the next is taken. */
  readonly giveBack: (batch: Float32Array<ArrayBuffer>) => void
}

export interface Loader {
  /**
   * @param ahead how many batches are made ahead at most, by all workers together
   * @param workers how many of those that were started make them
   */
  readonly batches: (ahead: number, workers?: number) => Batches
}

const LANE = 'host (loader)'
/**
 * A worker answers within some ms, and fills its dataset at 5 ns a byte, on two busy cores: 16 MiB
 * in less than a second; of 16 workers in 10 s.
 */
const START_TIMEOUT_MS = 15_000

/** Asks one worker. */
type Post = (request: LoaderRequest, transfer?: Transferable[]) => void

/** Whatever ends with a run. */
type Owning = Pick<RunContext, 'own'>

/**
 * A worker that ends with its owner. `opened` settles with what stood in the way, or null. Throws
 * where a worker is refused.
 */
function startWorker(
  owner: Owning,
  made: (answer: Extract<LoaderAnswer, { type: 'made' }>) => void,
  failed: (why: Error) => void,
): { readonly post: Post; readonly opened: Promise<string | null> } {
  const worker = new Worker(new URL('./loader-worker.ts', import.meta.url), {
    type: 'module',
    name: 'lab loader',
  })
  owner.own({ destroy: () => worker.terminate() })
  const opened = new Promise<string | null>((resolve) => {
    whenDead(worker, (said) => {
      const why = `the loader’s worker failed: ${said}`
      resolve(why)
      failed(new Error(why))
    })
    worker.onmessage = ({ data }: MessageEvent<LoaderAnswer>) => {
      if (data.type === 'opened') resolve(null)
      else made(data)
    }
  })
  return { opened, post: (request, transfer = []) => worker.postMessage(request, transfer) }
}

/** Whom a made batch reaches, and why none will come any more. */
interface Heard {
  readonly made: (index: number, memory: ArrayBuffer) => void
  readonly failed: (why: Error) => void
}

/** Asks a worker for batch `index` in this memory, which is given away. */
type AskWorker = (worker: number, index: number, memory: ArrayBuffer) => void

/**
 * Starts workers, which end with their owner; what each did stands on a lane of its own. What stood
 * in the way, where there are none to be had: some browsers and policies let no worker start
 * another.
 */
export async function openMakers(
  context: RunContext,
  options: BatchOptions,
  count: number,
  { made, failed }: Heard,
  owner: Owning = context,
): Promise<Result<AskWorker, string>> {
  const { session } = context
  const posts: Post[] = []
  /** By batch: when it was asked for, in host ns, and what for. */
  const asked = new Map<number, { readonly atNs: number; readonly tag: typeof session.tag }>()
  const startOn = (lane: string) => {
    const thread = session.otherThread(lane)
    return startWorker(
      owner,
      ({ index, memory, ...times }) => {
        const request = asked.get(index)
        asked.delete(index)
        if (request)
          thread.worked({
            ...times,
            name: `make batch ${String(index)}`,
            askedNs: request.atNs,
            heardNs: session.now(),
            bytes: memory.byteLength,
            tag: { ...request.tag, step: index },
          })
        made(index, memory)
      },
      failed,
    )
  }

  const opening: Promise<string | null>[] = []
  try {
    for (let index = 0; index < count; index += 1) {
      const lane = count === 1 ? LANE : `${LANE.slice(0, -1)} ${String(index)})`
      const { post, opened } = startOn(lane)
      posts.push(post)
      opening.push(opened)
      post({ type: 'open', options })
    }
  } catch (thrown) {
    return fail(`no worker could be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
  const all = Promise.all(opening).then((each) => each.find((why) => why !== null) ?? null)
  const problem = await context.race(
    withTimeout(all, START_TIMEOUT_MS, 'the loader’s worker').catch((thrown: unknown) =>
      toFault(thrown).message.replace(/\.$/, ''),
    ),
  )
  if (problem !== null) return fail(problem)
  return succeed((worker, index, memory) => {
    asked.set(index, { atNs: session.now(), tag: session.tag })
    posts[worker]?.({ type: 'make', index, memory }, [memory])
  })
}

/**
 * Workers whose batches come in order.
 *
 * @param mostAhead there is memory for so many batches, and for the one that the program holds
 */
export async function openLoader(
  context: RunContext,
  options: BatchOptions,
  mostAhead: number,
  mostWorkers = 1,
): Promise<Result<Loader, string>> {
  const { session } = context
  let among = 1
  let ask: AskWorker = () => undefined
  const ring = new BatchRing(mostAhead, options.words * 4, (index, memory) =>
    ask(index % among, index, memory),
  )
  const opened = await openMakers(context, options, mostWorkers, {
    made: (index, memory) => ring.arrived(index, memory),
    failed: (why) => ring.fail(why),
  })
  if (!opened.ok) return opened
  ask = opened.value

  return succeed({
    batches: (ahead, workers = 1) => ({
      start: (count) => {
        among = workers
        ring.start(count, ahead)
      },
      next: () => {
        const batch = ring.take()
        return batch
          ? Promise.resolve(batch)
          : session.awaited('wait-batch', 'the loader’s next batch', context.race(ring.wait()))
      },
      giveBack: (batch) => ring.giveBack(batch),
    }),
  })
}

/**
 * The same batches made by the program's own thread, marked on the host's lane: `num_workers=0`.
 * Each overwrites the one before.
 */
export function makeInline(
  { session }: Pick<RunContext, 'session'>,
  maker: BatchMaker,
): (index: number) => Float32Array {
  const memory = new Float32Array(maker.words)
  return (index) => {
    const start = session.now()
    maker.make(index, memory)
    session.hostSpan('host-work', 'compute', `make batch ${String(index)}`, start, session.now(), {
      bytes: memory.byteLength,
    })
    return memory
  }
}
