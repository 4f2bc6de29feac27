import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KinetoFile, type Event } from '../trace/formats/import/testing/kineto-file'
import { opened } from '../trace/formats/import/testing/read-back'
import { decodeRun, encodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import type { Trace } from '../trace/schema'
import type { Coverage } from './coverage'
import type { DeviceSummary } from './devices'
import { analyse } from './diagnosis'
import type { Diagnosis } from './findings'
import { correlationOf, inGraphs, isRecord, losing, wellFed } from './testing/lossy-profile'

function analysed(trace: Trace) {
  const { reasons, devices, diagnoses } = analyse(placeTrace(trace))
  return { coverage: reasons?.records.coverage ?? null, devices, diagnoses }
}
const of = async (file: KinetoFile) => analysed((await opened(file.bytes())).trace)
async function only(file: KinetoFile): Promise<{
  readonly coverage: Coverage | null
  readonly device: DeviceSummary
  readonly diagnosis: Diagnosis
}> {
  const { coverage, devices, diagnoses } = await of(file)
  const [[device], [diagnosis]] = [devices, diagnoses]
  if (!device || !diagnosis || devices.length > 1) throw new Error('not one device')
  return { coverage, device, diagnosis }
}
const lostGaps = ({ gaps }: DeviceSummary) =>
  gaps
    .filter(({ cause }) => cause === 'not-recorded')
    .map(({ startNs, endNs, before, after }) => [startNs / 1e3, endNs / 1e3, before < 0, after < 0])
const SAID =
  /^(\d+) of (\d+) launches \((\S+) %\) have no record on the GPU: what it did for (\S+) % of the time is not known\./

describe('launches without a record', () => {
  it('are none in a whole file, which is well fed', async () => {
    const { coverage, device, diagnosis } = await only(wellFed(200))
    expect(coverage).toEqual({ launches: 200, withoutRecord: 0, ratio: 1 })
    expect(device.coverage).toEqual(coverage)
    expect(device.unrecordedUs).toBe(0)
    expect(diagnosis.verdict).toBe('well-fed')
  })

  it('at the start: the stretch is drawn, is in no ratio, and is said first', async () => {
    const { coverage, device, diagnosis } = await only(losing(wellFed(200), (each) => each <= 40))
    expect(coverage).toEqual({ launches: 200, withoutRecord: 40, ratio: 0.8 })
    expect(device.coverage).toEqual(coverage)
    // From the first launch to the first record; the file's zero is the first launch.
    expect(lostGaps(device)).toEqual([[0, 20 + 51 * 40, true, false]])
    expect(device.unrecordedUs).toBe(0)
    expect(device.busyRatio).toBeGreaterThan(0.97)
    expect(diagnosis.verdict).toBe('partial')
    expect(diagnosis.findings).toEqual([])
    expect(diagnosis.minor).toEqual([])
    expect(SAID.exec(diagnosis.sentence)?.slice(1, 5)).toEqual(['40', '200', '20', '20.2'])
    expect(`${diagnosis.sentence} ${diagnosis.note}`).not.toMatch(/Nothing|not at fault/)
  })

  it('at the end, launched after all that are there: the same', async () => {
    const { device, diagnosis } = await only(losing(wellFed(200), (each) => each > 100))
    // The host is 20 % faster than the device: its last launch is long after the last record.
    expect(lostGaps(device)).toEqual([[70 + 51 * 99, 40 * 199 + 6, false, true]])
    expect(diagnosis.verdict).toBe('partial')
    expect(diagnosis.sentence).toMatch(/^100 of 200 launches \(50 %\)/)
  })

  it('in the middle: the gap is not idle, though the host had launched them long before', async () => {
    const { device, diagnosis } = await only(losing(wellFed(200), (each) => each > 90 && each <= 130))
    expect(lostGaps(device)).toEqual([[70 + 51 * 89, 20 + 51 * 130, false, false]])
    expect(device.unrecordedUs).toBe(51 * 40 + 1)
    expect(device.busyRatio).toBeGreaterThan(0.97)
    expect(device.totals['not-recorded']?.count).toBe(1)
    expect(diagnosis.parts.idleUs).toBeLessThan(200)
    const parts: readonly number[] = Object.values(diagnosis.parts)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(diagnosis.spanUs, 6)
    expect([diagnosis.verdict, diagnosis.findings]).toEqual(['partial', []])
    expect(SAID.exec(diagnosis.sentence)?.slice(1, 5)).toEqual(['40', '200', '20', '20'])
  })

  it('of graphs count once each, whatever they hold', async () => {
    const whole = await only(inGraphs(20, 10))
    expect(whole.coverage).toEqual({ launches: 20, withoutRecord: 0, ratio: 1 })
    expect(whole.diagnosis.verdict).toBe('well-fed')
    const { coverage, device, diagnosis } = await only(losing(inGraphs(20, 10), (each) => each % 4 === 2))
    expect(coverage).toEqual({ launches: 20, withoutRecord: 5, ratio: 0.75 })
    expect(lostGaps(device)).toHaveLength(5)
    expect(device.busyRatio).toBeGreaterThan(0.97)
    expect(diagnosis.verdict).toBe('partial')
  })

  it('do not take what is found in the rest away, and get no advice', async () => {
    // Each kernel is read; of every third step the records are missing.
    const file = new KinetoFile()
    for (let step = 0; step < 30; step += 1) {
      const at = 1000 * step
      file
        .call('cudaLaunchKernel', 10 * step + 1, [at, at + 10])
        .kernel('gemm', 10 * step + 1, [at + 20, at + 815])
        .operator('aten::item', [at + 30, at + 900])
        .call('cudaMemcpyAsync', 10 * step + 2, [at + 40, at + 50])
        .copy('DtoH (Device -> Pageable)', 10 * step + 2, [at + 818, at + 820], 4)
        .call('cudaStreamSynchronize', 10 * step + 3, [at + 55, at + 825])
    }
    const whole = await only(file)
    const { diagnosis } = await only(losing(file, (each) => Math.floor(each / 10) % 3 === 1))
    expect(diagnosis.findings.map(({ cause }) => cause)).toEqual(['read-back'])
    // Every third gap has records on both sides, and nothing lost between them.
    expect(whole.diagnosis.findings[0]?.cause).toBe('read-back')
    expect(diagnosis.steps).toBeNull()
    expect(diagnosis.findings[0]).toMatchObject({ without: null })
    expect(diagnosis.findings[0]?.usPerStep).toBeCloseTo(9 * 200, 6)
    expect(diagnosis.findings[0]?.evidence).toMatch(/^9 gaps/)
    expect(diagnosis.sentence).toMatch(/^20 of 60 launches \(33\.3 %\).* waited for a result that it read/)
    expect(diagnosis.note).toContain('no record of their work, so nothing is replayed')
  })

  it('below a fiftieth are counted and drawn, and not said', async () => {
    const { coverage, device, diagnosis } = await only(losing(wellFed(200), (each) => each === 100))
    expect(coverage?.withoutRecord).toBe(1)
    expect(lostGaps(device)).toHaveLength(1)
    expect(diagnosis.verdict).toBe('well-fed')
    expect(diagnosis.sentence).toMatch(/^Nothing on the host holds/)
  })

  it('few, but over much of the time, are said', async () => {
    const file = losing(wellFed(200), (each) => each === 1)
    // The first launch long before the others: a profiler that begins late.
    const late = new KinetoFile()
    for (const event of file.events)
      late.add(correlationOf(event) === 1 ? { ...event, ts: Number(event['ts']) - 5000 } : event)
    const { diagnosis } = await only(late)
    expect(diagnosis.sentence).toMatch(
      /^1 of 200 launches \(0\.5 %\) has no record on the GPU: what it did for 33.* %/,
    )
    expect(diagnosis.verdict).toBe('partial')
  })

  it('may have run beside a copy or a collective: neither is then known to have run alone', async () => {
    const file = new KinetoFile()
    for (let step = 0; step < 10; step += 1) {
      const at = 1000 * step
      file
        .call('cudaMemcpyAsync', 10 * step + 1, [at, at + 5])
        .copy('HtoD (Pinned -> Device)', 10 * step + 1, [at + 300, at + 600], 2 ** 20, 13)
        .call('cudaLaunchKernel', 10 * step + 2, [at + 6, at + 10])
        .kernel('beside', 10 * step + 2, [at + 301, at + 599])
        .call('cudaLaunchKernel', 10 * step + 3, [at + 12, at + 16])
        .kernel('after', 10 * step + 3, [at + 601, at + 1299])
    }
    const { diagnosis } = await only(losing(file, (each) => each % 10 === 2))
    expect(diagnosis.findings).toEqual([])
    expect(diagnosis.parts.copyUs).toBe(0)
    expect(diagnosis.parts.unrecordedUs).toBeGreaterThan(9 * 300)
    expect(diagnosis.verdict).toBe('partial')
  })
})

describe('what is no launch', () => {
  it('is a call that waits, asks, or launches a function of the host; or that is captured into a graph', async () => {
    const file = wellFed(50)
      .call('cudaStreamSynchronize', 901, [0, 1])
      .call('cudaDeviceSynchronize', 902, [0, 1])
      .call('cudaEventRecord', 903, [0, 1])
      .call('cudaStreamIsCapturing', 904, [0, 1])
      .call('cudaFuncGetAttributes', 905, [0, 1])
      .call('cudaLaunchHostFunc', 906, [0, 1])
      .call('cudaMalloc', 907, [0, 1])
      .call('cudaStreamBeginCapture', 908, [3000, 3001])
      .call('cudaLaunchKernel', 909, [3002, 3003])
      // The backward pass, on a thread of its own.
      .call('cudaLaunchKernel', 910, [3004, 3005], 77)
      .call('cudaMemsetAsync', 911, [3006, 3007])
      .call('cudaStreamEndCapture', 912, [3008, 3009])
    expect((await only(file)).coverage).toEqual({ launches: 50, withoutRecord: 0, ratio: 1 })
    file.call('cudaLaunchKernel', 913, [3010, 3011])
    expect((await only(file)).coverage?.withoutRecord).toBe(1)
  })

  it('is a memset without a record: it had no bytes to set', async () => {
    const file = wellFed(50).call('cudaMemsetAsync', 901, [0, 1]).call('cudaMemsetAsync', 902, [2, 3])
    file.memset(902, [4, 5], 512, 9)
    expect((await only(file)).coverage).toEqual({ launches: 51, withoutRecord: 0, ratio: 1 })
  })

  it('makes a file of another tool one without coverage, not a whole one', async () => {
    const span = (name: string, pid: number, ts: number): Event => ({
      ph: 'X',
      name,
      pid,
      tid: 1,
      ts,
      dur: 5,
    })
    const text = JSON.stringify([span('cudaLaunchKernel', 1, 0), span('work', 2, 10)])
    expect(analysed((await opened(text)).trace).coverage).toBeNull()
    const uncorrelated = new KinetoFile()
    for (const event of wellFed(9).events) uncorrelated.add({ ...event, args: {} })
    const { coverage, devices } = await of(uncorrelated)
    expect([coverage, devices[0]?.coverage]).toEqual([null, null])
    const run = analysed((await opened(readFileSync('public/recordings/sync-stalls.hdl.gz'))).trace)
    expect([run.coverage, run.devices[0]?.coverage, run.diagnoses[0]?.coverage]).toEqual([null, null, null])
  })

  it('leaves a file of launches alone with all of them lost', async () => {
    const { coverage, devices } = await of(losing(wellFed(9), () => true))
    expect(coverage).toEqual({ launches: 9, withoutRecord: 9, ratio: 0 })
    expect(devices).toEqual([])
  })
})

describe('of several devices', () => {
  const two = (threads: readonly [number, number], lost: readonly number[]) => {
    const file = new KinetoFile()
    for (let each = 0; each < 40; each += 1) {
      const device = each % 2
      file.call('cudaLaunchKernel', each + 1, [10 * each, 10 * each + 2], threads[device])
      if (lost.includes(each)) continue
      file.kernel('gemm', each + 1, [10 * each + 5, 10 * each + 14], 7)
      if (device === 1) file.events.push({ ...file.events.pop(), pid: 1 })
    }
    return of(file)
  }

  it('a launch without a record is of the one that its thread launches to', async () => {
    const { coverage, devices } = await two([11, 12], [21, 23, 25])
    expect(coverage?.withoutRecord).toBe(3)
    expect(devices.map((device) => device.coverage)).toEqual([
      { launches: 20, withoutRecord: 0, ratio: 1 },
      { launches: 20, withoutRecord: 3, ratio: 0.85 },
    ])
    expect(devices.map((device) => lostGaps(device).length)).toEqual([0, 1])
  })

  it('of either, where one thread launches to both: neither knows its own', async () => {
    const { coverage, devices } = await two([11, 11], [21, 23, 25])
    expect(coverage).toEqual({ launches: 40, withoutRecord: 3, ratio: 0.925 })
    expect(devices.map((device) => device.coverage)).toEqual([null, null])
    expect(devices.map((device) => lostGaps(device).length > 0)).toEqual([true, true])
  })
})

describe('recordings', () => {
  const folder = 'public/recordings'
  /** Nothing of a device is in that of the CPU. */
  const names = readdirSync(folder).filter((name) => /^torch-(?!worth-it-cpu).*\.json\.gz$/.test(name))

  it.each(names)('%s is whole', async (name) => {
    const { coverage, devices, diagnoses } = analysed((await opened(readFileSync(`${folder}/${name}`))).trace)
    expect(coverage?.launches).toBeGreaterThan(0)
    expect(coverage?.ratio).toBe(1)
    for (const { gaps } of devices) expect(gaps.filter(({ cause }) => cause === 'not-recorded')).toEqual([])
    for (const { parts } of diagnoses) expect(parts.unrecordedUs).toBe(0)
  })

  it('keep what they lack where they are saved and opened again', async () => {
    const { trace } = await opened(losing(wellFed(50), (each) => each > 20 && each < 31).bytes())
    const again = await decodeRun(encodeRun({ trace, report: null }))
    if (!again.ok) throw new Error('not read')
    expect(analysed(again.value.trace).coverage).toEqual({ launches: 50, withoutRecord: 10, ratio: 0.8 })
  })

  it.each(['read-a-profile-none', 'read-a-profile-read', 'overlapped-uploads-ring-2'])(
    '%s: whatever records are lost, nothing is idle that was not, and no more is idle than was',
    async (name) => {
      const { traceEvents, ...top } = JSON.parse(
        gunzipSync(readFileSync(`${folder}/torch-${name}.json.gz`)).toString(),
      ) as { readonly traceEvents: readonly Event[] }
      const whole = analysed((await opened(JSON.stringify({ ...top, traceEvents }))).trace)
      const idleUs = whole.diagnoses[0]?.parts.idleUs ?? 0
      const correlations = traceEvents.filter(isRecord).map(correlationOf)
      const [from, to] = [Math.min(...correlations), Math.max(...correlations)]
      await fc.assert(
        fc.asyncProperty(fc.nat(100), fc.integer({ min: 3, max: 60 }), async (start, length) => {
          const at = (share: number) => from + ((to - from) * share) / 100
          const isLost = (each: Event) =>
            isRecord(each) && correlationOf(each) >= at(start) && correlationOf(each) <= at(start + length)
          const kept = traceEvents.filter((each) => !isLost(each))
          if (!kept.some(isRecord)) return
          const found = analysed((await opened(JSON.stringify({ ...top, traceEvents: kept }))).trace)
          expect(found.diagnoses[0]?.parts.idleUs).toBeLessThan(idleUs + 1)
          if ((found.coverage?.ratio ?? 1) >= 0.98) return
          expect(found.diagnoses[0]?.verdict).not.toBe('well-fed')
          expect(found.diagnoses[0]?.sentence).toMatch(/^\d+ of \d+ launches/)
        }),
        { numRuns: 12 },
      )
    },
    60_000,
  )
})
