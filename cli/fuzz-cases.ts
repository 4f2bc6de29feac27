/** The thread that opens damaged files, one case after the other, and says in shared memory which. Ended from outside when it hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { baseFiles, checkDamaged, damagedCase, FATES, reduced } from '../src/trace/formats/testing/damage'

export interface CasesRequest {
  readonly seed: number
  readonly from: number
  /** The case under way, and how many of each fate there were, as in FATES. */
  readonly shared: Int32Array
  /** One content alone, of the base of case `from`: whether that fails, too. */
  readonly only: Uint8Array | null
}

/** What a case threw; null: `only` did not fail. */
export interface Failure {
  readonly at: number
  readonly what: string
  readonly content: Uint8Array
}

const thrownBy = async (run: () => Promise<unknown>): Promise<string | null> => {
  try {
    await run()
    return null
  } catch (thrown) {
    return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  }
}

async function cases({ seed, from, shared, only }: CasesRequest): Promise<void> {
  const bases = baseFiles()
  for (let at = from; ; at += 1) {
    const { base, content } = damagedCase(bases, seed, at)
    Atomics.store(shared, 0, at)
    const opens = (own: Uint8Array) => checkDamaged(base.wrap(own))
    const what = await thrownBy(async () => {
      const fate = 1 + FATES.indexOf(await opens(only ?? content))
      Atomics.add(shared, fate, 1)
    })
    if (only || what !== null) {
      const small =
        what === null || only
          ? content
          : await reduced(content, async (own) => (await thrownBy(() => opens(own))) !== null)
      parentPort?.postMessage(what === null ? null : ({ at, what, content: small } satisfies Failure))
      if (only) return
    }
  }
}

await cases(workerData as CasesRequest)
