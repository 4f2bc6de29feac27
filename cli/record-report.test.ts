/**
 * What `lab record` says of a page, of recordings of the fake WebGPU: frames that do too much, and
 * frames that do not.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { CallSites } from '../src/recorder/call-sites'
import { Counts } from '../src/recorder/counts'
import { framesOf } from '../src/recorder/frames'
import { macrotask, MAP, record, stopRecording, USAGE } from '../src/recorder/testing/record'
import { fakeRealm } from '../src/testing/fake-webgpu'
import { SPAN_ROLES, type Trace } from '../src/trace/schema'
import type { AnalysisJson } from './lab-analyze'
import { parseCondition } from './fail-if'
import { pageFailures, pageReport, pageText, type PageReport } from './record-report'
import { PAGE_FIGURES } from '../src/analysis/page-figures'

afterEach(stopRecording)

const FRAMES = 6

/** A frame is a turn of its own; the last one only ends the one before. */
async function recordedFrames(
  before: (device: GPUDevice) => void,
  frame: (device: GPUDevice, index: number) => Promise<void> | undefined,
  stamp: 'passes' | 'none' = 'passes',
): Promise<Trace> {
  let callback: (time: number) => void = () => undefined
  const page = {
    requestAnimationFrame(next: (time: number) => void): number {
      callback = next
      return 0
    },
  }
  // Its first stack is the recorder's own.
  const stacks = ['Error\n    at http://a.test/recorder.js:1:1']
  const sites = new CallSites(() => stacks.shift() ?? 'Error\n    at draw (http://a.test/app.js:12:7)')
  const { session, device } = record(
    {},
    {
      stamp,
      sites,
      rows: (recorded) => {
        const counts = new Counts(recorded.writer)
        const frames = framesOf(page, recorded, counts)
        return [...counts.patches(fakeRealm), ...frames.patches]
      },
    },
  )
  before(device)
  for (let index = 0; index <= FRAMES; index += 1) {
    let done: Promise<void> | undefined
    page.requestAnimationFrame(() => {
      if (index < FRAMES) done = frame(device, index)
    })
    callback(index * 16)
    await done
    await macrotask()
  }
  await session.collect()
  session.stop()
  const { builder } = session
  builder.info = {
    ...builder.info,
    derived: Object.fromEntries(
      sites.all.map((site, index) => [`site ${String(index)}`, JSON.stringify(site)]),
    ),
  }
  return builder.freeze()
}

const submitPass = (device: GPUDevice, label: string): void => {
  const encoder = device.createCommandEncoder()
  encoder.beginComputePass(label === '' ? {} : { label }).end()
  device.queue.submit([encoder.finish()])
}
const reportOf = (trace: Trace): PageReport =>
  pageReport(trace, { diagnoses: [], devices: [] }, (fault) => `mends ${fault}`)
const compile = (device: GPUDevice) =>
  device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: '' }) },
  })

it('frames that make and write again and again: each fault with its count, evidence and line', async () => {
  const report = reportOf(
    await recordedFrames(
      () => undefined,
      (device, index) => {
        const buffer = device.createBuffer({ size: 1024, usage: USAGE.copyDst })
        for (let each = 0; each < 20; each += 1) device.queue.writeBuffer(buffer, 0, new Float32Array(4))
        for (let each = 0; each < 3; each += 1) {
          device.createBindGroup({ layout: {} as GPUBindGroupLayout, entries: [] })
          submitPass(device, '')
        }
        if (index === 4) compile(device)
        buffer.destroy()
        return undefined
      },
    ),
  )
  expect(report.figures).toMatchObject({
    submitsPerFrame: 3,
    passesPerFrame: 3,
    smallWritesPerFrame: 20,
    bytesWrittenPerFrame: 320,
    buffersMadePerFrame: 1,
    buffersDestroyedPerFrame: 1,
    bindGroupsMadePerFrame: 3,
    texturesMadePerFrame: 0,
    pipelinesInFrames: 1,
  })
  expect(report.findings.map(({ what, count }) => `${what} ${String(count)}`)).toEqual([
    'A frame makes 20 writes of at most 256 bytes. 20',
    'A frame makes 1 buffer. 1',
    'A frame makes 3 bind groups. 3',
    'A frame submits 3 times. 3',
    '1 pipeline compiled after the first frame. 1',
  ])
  for (const { lines } of report.findings) expect(lines).toEqual(['http://a.test/app.js:12 (draw)'])
  expect(report.findings[1]?.evidence).toBe('6 in 6 of 6 frames.')
  expect(report.findings[4]?.evidence).toMatch(/^In 1 frame; the longest took /)
  const text = pageText(report)
  expect(text).toContain('   at http://a.test/app.js:12 (draw)')
  const verdicts = ['The GPU was idle for 84 % of the time.', 'A frame submits 3 times.']
  const said = pageText({ ...report, verdicts })
  expect(text.split('\n')[0]).toMatch(/^No pass in the recording has timestamps/)
  expect(said.split('\n').slice(0, 2)).toEqual(verdicts)
  // As a finding it comes once.
  expect(said.match(/A frame submits 3 times/g)).toHaveLength(1)
})

it('what the first frame makes for all others is no fault', async () => {
  let buffer: GPUBuffer | null = null
  const report = reportOf(
    await recordedFrames(compile, (device, index) => {
      if (index === 0) {
        compile(device)
        for (let each = 0; each < 30; each += 1)
          device.createBindGroup({ layout: {} as GPUBindGroupLayout, entries: [] })
      }
      buffer ??= device.createBuffer({ size: 1024, usage: USAGE.copyDst })
      device.queue.writeBuffer(buffer, 0, new Float32Array(4))
      submitPass(device, 'main')
      return undefined
    }),
  )
  expect(report.findings).toEqual([])
  expect(report.figures).toMatchObject({
    submitsPerFrame: 1,
    bindGroupsMadePerFrame: 0,
    pipelinesInFrames: 0,
  })
  expect(report.counts).toMatchObject({ 'bind groups made': 30, 'pipelines made': 2 })
})

it('a readback is awaited at once where nothing was submitted behind it', async () => {
  const readBack = (behind: number) =>
    recordedFrames(
      () => undefined,
      async (device) => {
        const from = device.createBuffer({ size: 16, usage: USAGE.copySrc })
        const to = device.createBuffer({ size: 16, usage: USAGE.mapRead | USAGE.copyDst })
        const encoder = device.createCommandEncoder()
        encoder.copyBufferToBuffer(from, 0, to, 0, 16)
        device.queue.submit([encoder.finish()])
        for (let each = 0; each < behind; each += 1) submitPass(device, 'main')
        await to.mapAsync(MAP.read)
      },
    )
  const atOnce = reportOf(await readBack(0))
  stopRecording()
  const later = reportOf(await readBack(1))
  expect(atOnce.figures.readbacksAwaitedAtOnce).toBe(FRAMES)
  expect(later.figures.readbacksAwaitedAtOnce).toBe(0)
  expect(atOnce.findings.find(({ what }) => what.includes('readback'))).toMatchObject({
    count: FRAMES,
    lesson: 'mends read-back',
    lines: ['http://a.test/app.js:12 (draw)'],
  })
})

/** Steps of a page without frames: each ends with its result. The first prepares. */
async function recordedSteps(step: (device: GPUDevice, index: number) => void): Promise<Trace> {
  const sites = new CallSites(() => 'Error\n    at step (http://a.test/app.js:9:7)')
  const { session, device } = record({}, { sites })
  for (let index = 0; index < STEPS; index += 1) {
    step(device, index)
    await device.queue.onSubmittedWorkDone()
    await macrotask()
  }
  await session.collect()
  session.stop()
  return session.freeze()
}
const WAITS = 'The host waits '
/** How long the fake device takes beside what a test does is the machine's business. */
const notOfTime = ({ findings }: PageReport) =>
  findings.filter(({ what }) => !/^The (host waits|first submission took) /.test(what))
const STEPS = 5

describe('a page without frames', () => {
  it('has its rates from its first result on, and not of what it prepares', async () => {
    const report = reportOf(
      await recordedSteps((device) => {
        for (let each = 0; each < 3; each += 1) submitPass(device, 'main')
      }),
    )
    expect(report.figures).toMatchObject({
      submitsPerFrame: null,
      pipelinesInFrames: null,
      submitsPerWait: 3,
    })
    expect(report.run).toMatchObject({ submits: 3 * (STEPS - 1), waits: STEPS - 1 })
    expect(pageText(report)).toMatch(/\nno frames: in .* submits and .* waits a second; the host waited for /)
  })

  it('that waits for its queue is told so, where no device has timestamps', async () => {
    const trace = await recordedSteps((device) => submitPass(device, 'main'))
    // Its waits as long as its steps.
    const { spans } = trace
    for (let span = 0; span < spans.length; span += 1)
      if (spans.role[span] === SPAN_ROLES.indexOf('wait-done')) spans.end[span] = (spans.end[span] ?? 0) + 1e6
    const waits = (report: PageReport) => report.findings.filter(({ what }) => what.startsWith(WAITS))
    expect(waits(reportOf(trace))).toMatchObject([{ count: STEPS - 1, lesson: 'mends synchronize' }])
    const diagnosed = [
      { findings: [{ cause: 'synchronize', sentence: 'It waits.' }], minor: [] },
    ] as unknown as AnalysisJson['diagnoses']
    expect(waits(pageReport(trace, { diagnoses: diagnosed, devices: [] }, () => null))).toEqual([])
  })

  it('that submits once has no rate, and that does little no finding', async () => {
    const once = reportOf(
      await recordedSteps((device, index) => {
        if (index === 0) submitPass(device, 'main')
      }),
    )
    expect([once.run, once.figures.submitsPerWait, once.findings]).toEqual([null, null, []])
    stopRecording()
    const little = reportOf(await recordedSteps((device) => submitPass(device, 'main')))
    expect(little.run?.submits).toBe(STEPS - 1)
    expect(notOfTime(little)).toEqual([])
  })
})

describe('passes', () => {
  it('are counted where they have no timestamps, and with that no span', async () => {
    const twice = (device: GPUDevice) => {
      for (const label of ['a', 'b']) submitPass(device, label)
      return undefined
    }
    for (const stamp of ['passes', 'none'] as const) {
      const { passes, figures } = reportOf(await recordedFrames(() => undefined, twice, stamp))
      stopRecording()
      expect([passes.compute, passes.render, figures.passesPerFrame], stamp).toEqual([2 * FRAMES, 0, 2])
    }
  })
})

it('passes whose own timestamps the page does not resolve are said with the verdict', async () => {
  const report = reportOf(
    await recordedFrames(
      () => undefined,
      (device) => {
        const querySet = device.createQuerySet({ type: 'timestamp', count: 2 })
        const encoder = device.createCommandEncoder()
        const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 }
        encoder.beginComputePass({ label: 'own', timestampWrites }).end()
        device.queue.submit([encoder.finish()])
        return undefined
      },
    ),
  )
  expect(pageText(report).split('\n')[1]).toBe(
    'The GPU time of 6 passes is not known: the page takes its own timestamps, and did not resolve both of a pass.',
  )
})

describe('--fail-if', () => {
  const condition = (text: string) =>
    parseCondition(text, { names: PAGE_FIGURES, example: 'submitsPerFrame > 2' })
  const submitting = async (times: number) => {
    const trace = await recordedFrames(
      () => undefined,
      (device) => {
        for (let each = 0; each < times; each += 1) submitPass(device, 'main')
        return undefined
      },
    )
    stopRecording()
    return { trace, report: { ...reportOf(trace), url: 'http://a.test/' } }
  }

  it('fails with the lines at fault, or where no frame submits', async () => {
    const [three, none] = [await submitting(3), await submitting(0)]
    expect(
      pageFailures([condition('submitsPerFrame > 2'), condition('submitsPerFrame > 3')], [three, none]),
    ).toEqual([
      "http://a.test/: 'submitsPerFrame > 2' holds: submitsPerFrame is 3.",
      '   at http://a.test/app.js:12 (draw)',
    ])
    expect(pageFailures([condition('submitsPerFrame > 2')], [none])).toEqual([
      "'submitsPerFrame > 2' cannot be determined: no frame submits.",
    ])
    for (const name of PAGE_FIGURES.filter((each) => each !== 'submitsPerWait'))
      expect(pageFailures([condition(`${name} >= 0`)], [three])[0], name).toContain(`${name} is `)
    expect(() => condition('busyRatio < 1')).toThrow("knows no 'busyRatio'")
  })
})
