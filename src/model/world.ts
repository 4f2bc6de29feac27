/** Ranks of a run on the model: each is a host of the machine's clock, served as a worker's is, in this thread, and recorded in a session of its own. */
import type { LoadedProgram } from '../experiments/programs'
import { serveRank, type PrepareRank } from '../experiments/serve-rank'
import type { RankProgram } from '../lab/lab'
import type { StartRank } from '../ranks/world'
import type { Realm } from '../recorder'
import { ModelError } from './clock'
import type { Machine } from './machine'
import { realmOfRank } from './realm'
import { ModelWire } from './wire'

interface World {
  readonly realm: Realm
  readonly gpu: GPU
  readonly programs: Iterable<LoadedProgram>
  /** Loaded: the model waits for no file. */
  readonly prepareRank: PrepareRank | null
}

/** Undefined where the card says nothing of ranks: none can be started then. */
export function startRankOn(
  machine: Machine,
  { realm, gpu, programs, prepareRank }: World,
): StartRank | undefined {
  const { card, clock } = machine
  const { ranks } = card
  if (!ranks) return undefined
  const byUrl = new Map(Array.from(programs, ({ url, program }) => [url, program as unknown as RankProgram])) // of a variant on ranks
  const wires = new Map<number, ModelWire>()
  const wireOf = (size: number): ModelWire => {
    const known = wires.get(size)
    if (known && !known.isCut) return known
    const made = new ModelWire(size, clock, ranks)
    wires.set(size, made)
    return made
  }
  return (rank, heard) => {
    const { host } = clock
    const own = clock.fork()
    let hasEnded = false
    const arrivesNs = (): number => clock.now + card.process.messageNs
    const serve = serveRank({
      answer: (answer) => {
        clock.task(
          arrivesNs(),
          () => {
            if (!hasEnded) heard(answer)
          },
          { host },
        )
      },
      gpu: () => gpu,
      realm: realmOfRank(realm, machine, own),
      loadProgram: (url) => {
        const program = byUrl.get(url)
        return program
          ? Promise.resolve(program)
          : Promise.reject(new ModelError(`There is no program ${url}.`))
      },
      loadPrepare: () => Promise.resolve(prepareRank),
      endOf: (of, size) => wireOf(size).endOf(of),
    })
    return {
      post: (order) => {
        clock.task(
          arrivesNs(),
          () => {
            serve(order)
          },
          { host: own },
        )
      },
      end: () => {
        hasEnded = true
      },
    }
  }
}
