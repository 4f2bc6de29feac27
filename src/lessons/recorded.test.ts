/** What the lessons quote of PyTorch: worked out from the recorded files, and nothing where a file is missing or of another shape. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readProfile } from '../state/profile'
import type { Metric } from '../trace/report'
import { experimentLessons } from './testing/catalog'
import type { CudaFigures, Json, Recorded, RecordedSide } from './recorded'
import { bannedWord, proseFault } from './testing/check-prose'

const folder = new URL('../../public/recordings/', import.meta.url)
const sides = experimentLessons.flatMap((lesson) =>
  lesson.recorded ? [[lesson.id, lesson, lesson.recorded] as const] : [],
)
const sideOf = (id: string): RecordedSide => {
  const found = sides.find(([each]) => each === id)?.[2]
  if (!found) throw new Error(`${id} has no recorded.ts`)
  return found
}

const say: Recorded['say'] = (value, unit) => `${String(Number(value.toPrecision(3)))} ${unit}`
const NOTHING: Recorded = { profile: () => null, json: () => null, say }
const jsonOnly = (json: Json): Recorded => ({ ...NOTHING, json: () => json })

/** The files as they are in the repository; what is not there yet is null, as on the page. */
async function recordedFiles(files: readonly string[]): Promise<Recorded> {
  const profiles = new Map<string, CudaFigures>()
  const jsons = new Map<string, Json>()
  for (const file of files) {
    const url = new URL(file, folder)
    if (!existsSync(url)) continue
    if (file.endsWith('.json')) jsons.set(file, JSON.parse(readFileSync(url, 'utf8')) as Json)
    else {
      const read = await readProfile(readFileSync(url), 'recorded')
      if (read.ok) profiles.set(file, read.value.figures)
    }
  }
  return { profile: (file) => profiles.get(file) ?? null, json: (file) => jsons.get(file) ?? null, say }
}

const metric = (name: string, variant: string, value: number): Metric => ({
  name,
  variant,
  value,
  low: null,
  high: null,
  unit: 'ms',
  n: 1,
  origin: 'device-clock',
})

// Made by hand, with round numbers: no device ever measured these.
const time = (value: number) => ({ median: value, low: value * 0.9, high: value * 1.1 })
const HAND_MADE_WORTH_IT: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  threads: 4,
  points: [1, 16].flatMap((uses) =>
    [64, 128, 256, 512, 1024].map((n) => ({
      uses,
      n,
      cpuMs: time((uses * n ** 3) / 256 ** 3), // crosses 1 ms at 256, with sixteen uses far below
      pageableMs: time(1),
      pinnedMs: time(0.125),
      residentMs: time(0.001),
    })),
  ),
}
const HAND_MADE_LAUNCHES: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  kernels: 64,
  points: [
    { n: 1024, eagerUs: time(41), graphUs: time(40), launchUs: time(6), replayUs: time(0.5) },
    {
      n: 64,
      eagerUs: time(6),
      graphUs: time(2),
      launchUs: time(5),
      replayUs: time(0.5),
      kernelUs: time(1.5),
    },
  ],
}
const HAND_MADE_LADDER: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  n: 2048,
  kernels: { naive: time(20), cublas: time(0.5) },
  steps: {
    pageable: { naive: time(30), cublas: time(10), transfers: time(9.5) },
    pinned: { naive: time(24), cublas: time(3), transfers: time(2.5) },
  },
}
const HAND_MADE_CHAIN: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  points: [512, 2048, 4096].map((n) => ({
    n,
    residentMs: time(1),
    scalarBackMs: time(2),
    pageableMs: time(n / 128),
    pinnedMs: time(n / 256),
  })),
}
const HAND_MADE_TENSORS: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  points: [2 ** 16, 2 ** 22, 2 ** 24].map((n) => ({
    n,
    onDeviceMs: time(0.5),
    pageableMs: time(n / 2 ** 17),
    pinnedMs: time(n / 2 ** 18),
    makeMs: time(n / 2 ** 19),
    sendMs: time(n / 2 ** 20),
    shapeMs: time(0.5),
    dataMs: time(0.625),
    printMs: time(2),
  })),
}
const HAND_MADE_TRANSFERS: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  link: { generation: 5, lanes: 16 },
  points: [262_144, 4, 65_536].map((kib) => ({
    kib,
    pageableUp: time(0.02 + kib / 25_000),
    pinnedUp: time(0.01 + kib / 50_000),
  })),
}
const HAND_MADE_STAGING: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  points: [256, 4, 64].map((mib) => ({
    mib,
    pageableMs: time(mib / 16),
    pinnedMs: time(mib / 64),
    pinAnewMs: time(mib / 8),
    ringMs: time(mib / 32),
    pinningMs: time(mib / 10),
  })),
  managed: {
    mib: 256,
    firstTouchMs: time(80),
    secondTouchMs: time(20),
    faultsMs: time(50),
    residentMs: time(0.5),
    prefetchMs: time(10),
    prefetchedMs: time(0.25),
  },
  allocator: {
    freeMiB: 512,
    largestFreeMiB: 64,
    askedMiB: 128,
    reservedMiB: 1024,
    failed: true,
    expandableFailed: false,
  },
}
const HAND_MADE_STREAMS: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  first: { count: 8, firstMs: time(2), allMs: time(16) },
  points: [4096, 256].map((n) => ({ n, oneMs: time(n / 64), twoMs: time(n === 256 ? 2 : n / 64) })),
  race: { checked: 4096, oneStreamWrong: 0, eventWrong: 0, forgottenWrong: 4000 },
  recordStream: { checked: 4096, withWrong: 0, withoutWrong: 4096 },
}
const HAND_MADE_RANKS: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  n: 8192,
  ways: { oneMs: time(20), sharedMs: time(25), gpusMs: time(11) },
  hang: { limitS: 5, hung: true, afterS: 5.1, message: 'timed out' },
}
const HAND_MADE_LOADER: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  atHandMs: time(10),
  inlineMs: time(24),
  inlinePinnedMs: time(22),
  workerMs: time(14),
  workerPinnedMs: time(12),
  workersPinnedMs: time(10.5),
  race: {
    elements: 4096,
    alone: { early: [0, 7], after: [0, 0] },
    behindWork: { early: [4096, 0, 2048], after: [0, 0, 0] },
  },
}
const HAND_MADE_ALL_REDUCES = [1024, 2 ** 26].map((bytes) => ({
  operation: 'all_reduce',
  bytes,
  deviceMs: time(bytes === 1024 ? 0.025 : 0.25),
  hostMs: time(bytes === 1024 ? 0.05 : 0.5),
  busGBs: bytes === 1024 ? 0.04 : 268,
}))
const HAND_MADE_NCCL: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  ranks: 2,
  points: HAND_MADE_ALL_REDUCES,
}
const HAND_MADE_GLOO: Json = {
  device: 'made by hand',
  date: '2000-01-01',
  worlds: [2, 4].map((ranks) => ({ ranks, points: HAND_MADE_ALL_REDUCES })),
}
/** For lessons whose own files are not there, or not yet. */
const HAND_MADE: Readonly<Record<string, Json>> = {
  'torch-worth-it.json': HAND_MADE_WORTH_IT,
  'torch-kernel-ladder.json': HAND_MADE_LADDER,
  'torch-command-queue.json': HAND_MADE_LAUNCHES,
  'torch-stay-on-device.json': HAND_MADE_CHAIN,
  'torch-tensor-residence.json': HAND_MADE_TENSORS,
  'torch-transfer-cost.json': HAND_MADE_TRANSFERS,
  'torch-staging-buffers.json': HAND_MADE_STAGING,
  'torch-streams-and-events.json': HAND_MADE_STREAMS,
  'torch-ranks.json': HAND_MADE_RANKS,
  'torch-nccl-collectives.json': HAND_MADE_NCCL,
  'torch-nccl-four.json': {
    ranks: 4,
    points: [
      {
        operation: 'all_reduce',
        bytes: 2 ** 27,
        deviceMs: { median: 0.6, low: 0.5, high: 0.7 },
        busGBs: 335,
      },
    ],
  },
  'torch-gloo-collectives.json': HAND_MADE_GLOO,
  'torch-overlapped-uploads-loader.json': HAND_MADE_LOADER,
}

describe('recorded figures of PyTorch', () => {
  it('stand beside the number of the lesson that quotes them', () => {
    expect(sides).not.toEqual([])
    for (const [id, { prediction }, { headlines, files }] of sides) {
      expect(
        headlines.map((each) => each.metric),
        id,
      ).toContain(prediction.metric.name)
      for (const { file } of headlines) expect(files, id).toContain(file)
    }
  })

  it.each(sides)('%s shows nothing where its files are missing', (_, lesson, side) => {
    for (const recorded of [NOTHING, jsonOnly({}), jsonOnly({ points: [{ n: 'many' }, null] })]) {
      for (const { figure } of side.headlines) expect(figure(recorded), lesson.id).toBeNull()
      expect(side.beside?.(recorded, () => null) ?? []).toEqual([])
      expect(side.carriesOver?.(recorded) ?? []).toEqual([])
    }
  })

  it.each(sides)('%s writes whole sentences, of the files there are', async (_, __, side) => {
    const found = await recordedFiles(side.files)
    const orByHand = { ...found, json: (file: string) => found.json(file) ?? HAND_MADE[file] ?? null }
    for (const recorded of [found, orByHand]) {
      const texts = [
        ...side.headlines.flatMap(({ figure }) => figure(recorded)?.words ?? []),
        ...(side.beside?.(recorded, () => null) ?? []),
        ...(side.carriesOver?.(recorded) ?? []),
      ]
      for (const text of texts) {
        expect(text).not.toMatch(/\b(NaN|undefined|null|Infinity)\b|\[object| {2}/)
        expect(bannedWord(text), text).toBeNull()
        expect(proseFault(text), text).toBeNull()
      }
    }
    const [headline] = side.headlines
    expect(headline?.figure(orByHand)?.value).toBeGreaterThan(0)
  })

  it('a launch takes far less time than its kernel', async () => {
    const side = sideOf('async-submission')
    const recorded = await recordedFiles(side.files)
    const figure = side.headlines[0]?.figure(recorded)
    const { kernelMs = 0 } = recorded.profile('torch-async-submission-queued.json.gz') ?? {}
    expect(figure?.unit).toBe('us')
    expect(figure?.value).toBeLessThan(((kernelMs ?? 0) * 1e3) / 10)
  })

  it('a ring hides filling, and on one stream no copy', async () => {
    const side = sideOf('overlapped-uploads')
    const figure = side.headlines[0]?.figure(await recordedFiles(side.files))
    expect(figure?.value).toBeGreaterThan(0.5)
    expect(figure?.value).toBeLessThanOrEqual(1)
    expect(figure?.words).toContain('0 ratio ran beside kernels')
  })

  it('a loader’s worker takes the making out of a step, and a copy that is read too early is wrong', () => {
    const { carriesOver } = sideOf('overlapped-uploads')
    const [makers = '', race = ''] = carriesOver?.(jsonOnly(HAND_MADE_LOADER)) ?? []
    expect(makers).toContain('took 24 ms, and 22 ms with `pin_memory=True`. Made by one worker it took 12 ms')
    expect(race).toContain(
      'Of 4100 count elements up to 4100 count were wrong, in 2 count of 3 count copies.',
    )
    // Each sentence stands on its own figures; a race that was not seen, or not mended, is no sentence.
    const raceOf = (behindWork: Json): number =>
      carriesOver?.(jsonOnly({ race: { elements: 4096, behindWork } })).length ?? -1
    expect(raceOf({ early: [5], after: [0] })).toBe(1)
    expect(raceOf({ early: [0], after: [0] })).toBe(0)
    expect(raceOf({ early: [5], after: [1] })).toBe(0)
    expect(raceOf({ early: [5] })).toBe(0)
  })

  it('the GPU wins where the curves of the file cross', () => {
    const recorded = jsonOnly(HAND_MADE_WORTH_IT)
    const side = sideOf('worth-it')
    const figure = side.headlines[0]?.figure(recorded)
    expect(figure?.value).toBeCloseTo(256, 6)
    expect(figure?.words).toContain('With pinned memory it wins from n = 128 count on')
    const [text = ''] = side.carriesOver?.(recorded) ?? []
    expect(text).toContain('wins from n = 256 count on')
    expect(text).toContain('it wins at every n from 64 on')
    expect(text).toContain('4 threads')
    // Where it never wins there is no size to show.
    const slow = jsonOnly({
      points: [64, 128].map((n) => ({
        uses: 1,
        n,
        cpuMs: time(1),
        pageableMs: time(2),
        pinnedMs: time(0.8),
      })),
    })
    expect(side.headlines[0]?.figure(slow)).toBeNull()
    expect(side.carriesOver?.(slow)[0]).toContain(
      'at no n up to 128 with pageable memory and at every n from 64 on',
    )
    // The intervals overlap at the largest size: neither is claimed.
    const even = { uses: 1, n: 64, cpuMs: time(1), pageableMs: time(1.01), pinnedMs: time(2) }
    expect(side.carriesOver?.(jsonOnly({ points: [even] }))[0]).toContain(
      'at no n up to 64 by more than the repeats differ',
    )
  })

  it('the first of eight is there early, and what a forgotten event cost is counted', () => {
    const side = sideOf('streams-and-events')
    const recorded = jsonOnly(HAND_MADE_STREAMS)
    expect(side.headlines[0]?.figure(recorded)?.value).toBeCloseTo(1 / 8, 9)
    const [gains = '', race = '', freed = ''] = side.carriesOver?.(recorded) ?? []
    expect(gains).toMatch(/^Products of n = 256 took 4 ms on one stream and 2 ms on two\. .*n = 4,096/)
    expect(race).toContain('With the event forgotten, 4,000 of 4,096 numbers were wrong')
    expect(race).toContain('With the event 0 were wrong, on one stream 0')
    expect(freed).toContain('4,096 of 4,096 numbers were wrong, with it 0')
    // Without one of the counts nothing is said of the race.
    expect(side.carriesOver?.(jsonOnly({ race: { checked: 4096, forgottenWrong: 4000 } }))).toEqual([])
  })

  it('a graph saves launches, and less where kernels are long', () => {
    const side = sideOf('command-queue')
    const recorded = jsonOnly(HAND_MADE_LAUNCHES)
    for (const { figure } of side.headlines) expect(figure(recorded)?.value).toBeCloseTo(3, 9)
    expect(side.headlines[0]?.figure(recorded)?.words).toContain('every 6 us instead of every 2 us')
    const [text = ''] = side.carriesOver?.(recorded) ?? []
    expect(text).toContain('a product of n = 64 began every 6 us')
    expect(text).toContain('A launch took the host 5 us; in a graph it is 0.5 us for each kernel.')
    expect(text).toContain('From n = 1024 on')
    // Nothing is claimed of widths where a graph still saves something, nor of what the file does not hold.
    const short = jsonOnly({ points: [{ n: 64, eagerUs: time(6), graphUs: time(2) }] })
    expect(side.carriesOver?.(short)[0]).not.toMatch(/From n|A launch took|itself took/)
  })

  it('a step keeps less of the factor than its kernel', () => {
    const side = sideOf('kernel-ladder')
    const figure = side.headlines[0]?.figure(jsonOnly(HAND_MADE_LADDER))
    expect(figure?.value).toBeCloseTo(3, 9)
    expect(figure?.words).toContain('The kernel alone: 40 ×')
    expect(figure?.words).toContain('With pinned memory: 8 ×')
    // No naive kernel could be compiled there: no factor.
    const kernels = { cublas: time(0.5) }
    expect(side.headlines[0]?.figure(jsonOnly({ ...HAND_MADE_LADDER, kernels }))).toBeNull()
  })

  it('a tensor from the host takes longer than one that is made on the device, by its size', () => {
    const side = sideOf('tensor-residence')
    const figure = side.headlines[0]?.figure(jsonOnly(HAND_MADE_TENSORS))
    expect(figure?.value).toBe(64)
    expect(figure?.words).toContain('for n = 4,194,304. From pinned memory it is 32 ×; sending alone')
    const text = (side.carriesOver?.(jsonOnly(HAND_MADE_TENSORS)) ?? []).join(' ')
    expect(text).toContain('A tensor of 65,536 numbers took 0.5 ms with `device="cuda"` and 0.5 ms with')
    expect(text).toContain('asked for one value, 0.625 ms; formatted as `print(x)` does, 2 ms.')
    // A point without one of the ways says nothing.
    const points = [{ n: 65_536, onDeviceMs: time(1), pageableMs: time(2) }]
    expect(side.headlines[0]?.figure(jsonOnly({ points }))).toBeNull()
  })

  it('a chain with round trips takes longer, by the size of its layers', () => {
    const side = sideOf('stay-on-device')
    const figure = side.headlines[0]?.figure(jsonOnly(HAND_MADE_CHAIN))
    expect(figure?.value).toBe(16)
    expect(figure?.words).toContain('each layer of 2048 × 2048. With pinned memory it is 8 ×')
    const [text = ''] = side.carriesOver?.(jsonOnly(HAND_MADE_CHAIN)) ?? []
    expect(text).toContain('At n = 512 the chain took 1 ms')
    expect(text).toContain('At n = 4096')
    // A point without one of the four says nothing.
    const points = [{ n: 512, residentMs: time(1), pageableMs: time(2) }]
    expect(side.headlines[0]?.figure(jsonOnly({ points }))).toBeNull()
  })

  it('a ring of pinned buffers, what pinning costs, pages that move and holes, each where it was recorded', () => {
    const side = sideOf('staging-buffers')
    const figure = side.headlines[0]?.figure(jsonOnly(HAND_MADE_STAGING))
    expect(figure?.value).toBe(2)
    expect(figure?.words).toContain(
      'for batches of 64 MiB. With the batches in pinned memory from the start it is 4 ×',
    )
    const texts = (over: Json) => side.carriesOver?.(jsonOnly({ ...HAND_MADE_STAGING, ...over })) ?? []
    expect(texts({})).toHaveLength(3)
    expect(texts({})[0]).toContain('Pinning so much took 6.4 ms by itself.')
    expect(texts({})[1]).toContain('took 50 ms, and 0.5 ms when')
    expect(texts({})[2]).toContain('1024 MiB, of which 512 MiB were free, in holes of at most 64 MiB')
    expect(texts({})[2]).toContain('the same request succeeded')
    expect(texts({ points: [], managed: {} })).toHaveLength(1)
    // A request that was served shows nothing, and one that was not tried with expandable segments is not told of.
    const allocator = HAND_MADE_STAGING['allocator'] as Json
    expect(texts({ allocator: { ...allocator, failed: false } })).toHaveLength(2)
    expect(texts({ allocator: { ...allocator, expandableFailed: undefined } })[2]).not.toContain('expandable')
  })

  describe('the length from which .item() stops hurting', () => {
    const beside = sideOf('sync-stalls').beside
    // 1 ms of idle time after each kernel: half of the time is computed at 1 ms, 90 % at 9 ms.
    const curve = [0.25, 0.5, 2, 4, 16].map((kernelMs) => ({ kernelMs, idleMs: 1 }))
    const runOf = (points: typeof curve): readonly Metric[] =>
      points.flatMap(({ kernelMs, idleMs }) => {
        const variant = `every-step@${String(kernelMs)}`
        return [metric('kernel-ms', variant, kernelMs), metric('idle-per-stall-ms', variant, idleMs)]
      })
    const text = (points: readonly unknown[], own: readonly Metric[] | null = null) =>
      beside?.(jsonOnly({ points }), (step) => (step === 'curve' ? own : null))[0] ?? ''

    it('is read off the recorded curve', () => {
      expect(text(curve)).toContain(
        'computed half of the time from 1 ms on, and 90 % of the time from 9 ms on',
      )
      expect(text(curve)).toContain('Draw the whole curve')
      expect(text(curve.slice(2))).toContain('at least half of the time even with kernels of 2 ms')
      expect(text(curve.slice(0, 4))).toContain('less than 90 % of the time even with kernels of 4 ms')
    })

    it('is read off the visitor’s own curve, where there is one', () => {
      const own = runOf(curve.map((point) => ({ ...point, idleMs: 4 })))
      expect(text(curve, own)).toContain(
        'In your own curve the device computed half of the time from 4 ms on',
      )
      expect(text(curve, own)).not.toContain('Draw the whole curve')
      // The lesson's own variants are one length, no curve.
      expect(text(curve, [metric('kernel-ms', 'every-step', 0.3)])).toContain('Draw the whole curve')
    })

    it('takes the last length at which the share is not reached', async () => {
      const saw = [1, 2, 4, 8].map((kernelMs) => ({ kernelMs, idleMs: kernelMs === 4 ? 8 : 0.1 }))
      expect(text(saw)).toMatch(/half of the time from [45](\.\d+)? ms on/)
      const side = sideOf('sync-stalls')
      const [real = ''] = side.beside?.(await recordedFiles(side.files), () => null) ?? []
      expect(real).toContain('at least half of the time even with kernels of 0.0515 ms')
      expect(real).toMatch(/90 % of the time from 0\.\d+ ms on/)
    })
  })
})
