/**
 * `npm run fuzz -- --minutes N [--seed S]`: damaged files and links of every format, for as long as there is time, beyond the ten thousand
 * of `npm test`. Each case follows from seed and number alone. What throws, hangs or needs more memory than a page has is reduced and kept
 * in src/trace/formats/testing/found/, where `npm test` goes through it from then on; the seeds that were run, in lab-out/fuzz/seeds.txt.
 */
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { baseFiles, damagedCase, FATES, reduced } from '../src/trace/formats/testing/damage'
import { parseFuzzArguments } from './fuzz-arguments'
import type { CasesRequest, Failure } from './fuzz-cases'
import { formatSeconds, inert, ROOT, say } from './terminal.mjs'

const FOUND = join(ROOT, 'src/trace/formats/testing/found')
const LOG = join(ROOT, 'lab-out/fuzz')
/** A case takes a millisecond: one that takes this long hangs, however busy the machine is. */
const HANG_MS = 30_000
const START_MS = 240_000
const POLL_MS = 250
/** Of the case under way. */
const NOT_BEGUN = -1
/** Of a thread. Cases are a few kB: what needs this much has no bound. */
const MOST_MEMORY_MB = 1024
/** Each try of what hangs costs as much as it takes to be sure. */
const TRIES_OF_HANG = 40
const SAY_EVERY_MS = 15_000

/** Until it fails, hangs, is through with its one content, or there is no time left: null. */
function watched(request: CasesRequest, endMs: number): Promise<Failure | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./fuzz-worker.mjs', import.meta.url), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    })
    Atomics.store(request.shared, 0, NOT_BEGUN)
    let [last, heardMs] = [NOT_BEGUN, Date.now()]
    const atNow = () => Math.max(request.from, Atomics.load(request.shared, 0))
    const end = (failure: Failure | null) => {
      clearInterval(timer)
      worker.terminate().then(
        () => {
          resolve(failure)
        },
        () => {
          resolve(failure)
        },
      )
    }
    const failedAt = (what: string) => {
      end({ at: atNow(), what, content: new Uint8Array() })
    }
    const timer = setInterval(() => {
      const at = Atomics.load(request.shared, 0)
      const goesOn = at !== last
      if (goesOn) [last, heardMs] = [at, Date.now()]
      // Until the first case the thread compiles what it runs.
      const mostMs = at === NOT_BEGUN ? START_MS : HANG_MS
      if (Date.now() - heardMs > mostMs) failedAt(`it did not end within ${String(mostMs / 1000)} s`)
      // Not in the middle of one that may be hanging.
      else if (goesOn && Date.now() > endMs) end(null)
    }, POLL_MS)
    worker.on('message', (failure: Failure | null) => {
      end(failure)
    })
    worker.on('error', (thrown) => {
      failedAt(`it ended its thread: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    })
  })
}

async function keep(seed: number, { at, what, content }: Failure): Promise<void> {
  const bases = baseFiles()
  const { base, content: whole } = damagedCase(bases, seed, at)
  let small = content
  if (small.length === 0) {
    say('  reducing it, which takes a while')
    const request = (only: Uint8Array): CasesRequest => ({ seed, from: at, shared: newShared(), only })
    small = await reduced(
      whole,
      async (only) => (await watched(request(only), Number.POSITIVE_INFINITY)) !== null,
      TRIES_OF_HANG,
    )
  }
  const name = `${String(seed)}-${String(at)}.file`
  await mkdir(FOUND, { recursive: true })
  await writeFile(join(FOUND, name), base.wrap(small))
  say(`✗ case ${String(at)} of seed ${String(seed)} (${base.name}), kept as ${name}:\n${inert(what)}`)
}

const newShared = (): Int32Array => new Int32Array(new SharedArrayBuffer(4 * (1 + FATES.length)))

const casesIn = (shared: Int32Array): number => shared.subarray(1).reduce((sum, count) => sum + count, 0)

export async function fuzz(argv: readonly string[]): Promise<number> {
  const { minutes, seed } = parseFuzzArguments(argv)
  const startedMs = Date.now()
  const endMs = startedMs + minutes * 60_000
  const shared = newShared()
  say(`seed ${String(seed)}, ${String(minutes)} min`)
  const heartbeat = setInterval(() => {
    say(`  ${String(casesIn(shared))} cases after ${formatSeconds(Date.now() - startedMs)}`)
  }, SAY_EVERY_MS)
  let [from, failures] = [0, 0]
  try {
    while (Date.now() < endMs) {
      const failure = await watched({ seed, from, shared, only: null }, endMs)
      if (!failure) break
      failures += 1
      await keep(seed, failure)
      from = failure.at + 1
    }
  } finally {
    clearInterval(heartbeat)
  }
  const counts = FATES.map((fate, at) => `${String(shared[1 + at])} ${fate}`).join(', ')
  const line = `seed ${String(seed)}: ${String(casesIn(shared))} cases in ${formatSeconds(Date.now() - startedMs)} (${counts}), ${String(failures)} failed`
  await mkdir(LOG, { recursive: true })
  await appendFile(join(LOG, 'seeds.txt'), `${new Date(startedMs).toISOString()} ${line}\n`)
  console.log(line)
  return failures === 0 ? 0 : 1
}
