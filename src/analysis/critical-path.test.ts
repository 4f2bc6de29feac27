import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { KinetoFile } from '../trace/formats/import/testing/kineto-file'
import { opened } from '../trace/formats/import/testing/read-back'
import { placeTrace, type PlacedTrace } from '../trace/place'
import { repeatWindows, typicalRepeats } from '../trace/typical-repeats'
import { criticalPath, repeatPath, type CriticalPath } from './critical-path'
import { drawnPathOf, pathColumns } from './drawn-path'
import { MS, Scene } from './testing/scene'

const RECORDINGS = 'public/recordings'
const OF_THE_CPU = 'torch-worth-it-cpu.json.gz'
const place = async (name: string) => placeTrace((await opened(readFileSync(`${RECORDINGS}/${name}`))).trace)

function pathOf(placed: PlacedTrace, variant: string, nth = 0): CriticalPath {
  const { trace } = placed
  const windows = repeatWindows(trace, trace.strings.indexOf(variant))
  const path = repeatPath(placed, windows[nth] ?? -1)
  if (!path) throw new Error('no path')
  return path
}

const inMs = ({ segments }: CriticalPath) =>
  segments.map(({ who, startNs, endNs }) => `${who} ${((endNs - startNs) / MS).toFixed(1)}`)

/** Without holes, and the sums add up to it. */
function expectWhole({ segments, ns }: CriticalPath): void {
  for (const [index, { startNs }] of segments.slice(1).entries()) expect(startNs).toBe(segments[index]?.endNs)
  const sum = Object.values(ns).reduce((all, each) => all + each, 0)
  expect(sum).toBeCloseTo((segments.at(-1)?.endNs ?? 0) - (segments[0]?.startNs ?? 0), 0)
}

describe('criticalPath', () => {
  it('goes from work to the wait it ended, through the host, to the next', async () => {
    const kineto = new KinetoFile()
      .call('cudaLaunchKernel', 1, [0, 2])
      .kernel('a', 1, [10, 20])
      .call('cudaDeviceSynchronize', 90, [5, 23])
      .call('cudaLaunchKernel', 2, [40, 42])
      .kernel('b', 2, [50, 60])
      .kernel('c', 2, [62, 70])
    const path = criticalPath(placeTrace((await opened(kineto.bytes())).trace))
    expect(path?.segments.map(({ who, startNs, endNs }) => [who, startNs / 1e3, endNs / 1e3])).toEqual([
      ['launch', 0, 10],
      ['device', 10, 20],
      ['notice', 20, 23],
      ['host', 23, 40],
      ['launch', 40, 50],
      ['device', 50, 60],
      ['stream', 60, 62],
      ['device', 62, 70],
    ])
    expect(path?.ns).toMatchObject({
      device: 28e3,
      host: 17e3,
      launch: 20e3,
      stream: 2e3,
      notice: 3e3,
      message: 0,
    })
  })

  it.each(readdirSync(RECORDINGS).filter((name) => name.endsWith('.gz') && name !== OF_THE_CPU))(
    '%s: has no holes, and work of a device in it',
    async (name) => {
      const path = criticalPath(await place(name))
      if (!path) throw new Error('no path')
      expectWhole(path)
      expect(path.ns.device).toBeGreaterThan(0)
    },
  )

  it('is none without work of a device', async () => {
    expect(criticalPath(placeTrace((await opened('[]')).trace))).toBeNull()
    expect(criticalPath(await place(OF_THE_CPU))).toBeNull()
  })
})

describe('repeatPath', () => {
  it('goes through the host, the launch, the device and the notice of every awaited step', () => {
    const scene = new Scene({ boundMs: 0 })
    for (const [step, at] of [10, 15].entries()) {
      scene.onHost('encode', 'encode', at, at + 1)
      const call = scene.submit(step + 1, at + 1, at + 1)
      const pass = scene.pass(step + 1, at + 1.5, at + 3.5)
      scene.builder.addFlow(call, pass, 'submit')
      const wait = scene.onHost('host-wait', 'await', at + 1, at + 5, { submission: step + 1 })
      scene.builder.addFlow(pass, wait, 'sync')
    }
    scene.onHost('window', 'v', 10, 20)
    const step = ['host 1.0', 'launch 0.5', 'device 2.0', 'notice 1.5']
    expect(inMs(pathOf(scene.place(), 'v'))).toEqual([...step, ...step])
  })

  it('stays on the device where work was queued behind work', () => {
    const scene = new Scene({ boundMs: 0 })
    const calls = [scene.submit(1, 10, 11), scene.submit(2, 11, 12)]
    const passes = [scene.pass(1, 12, 15), scene.pass(2, 15.2, 18)]
    for (const [at, pass] of passes.entries()) scene.builder.addFlow(calls[at] ?? -1, pass, 'submit')
    const pass = passes[1] ?? -1
    const wait = scene.onHost('host-wait', 'await', 12, 19, { submission: 2 })
    scene.builder.addFlow(pass, wait, 'sync')
    scene.onHost('window', 'v', 10, 19)
    const path = pathOf(scene.place(), 'v')
    expect(inMs(path)).toEqual(['launch 2.0', 'device 3.0', 'stream 0.2', 'device 2.8', 'notice 1.0'])
    expect(path.ns.device / MS).toBeCloseTo(5.8, 6)
  })

  it('is none where the device was not recorded', () => {
    const blind = new Scene()
    const window = blind.onHost('window', 'v', 0, 1)
    expect(repeatPath(blind.place(), window)).toBeNull()
  })

  it.each([
    ['sync-stalls', 'every-step', 'device'],
    ['sync-stalls/longer', 'never', 'device'],
    ['async-submission', 'queued', 'device'],
    ['overlapped-uploads', 'serial', 'device'],
    ['overlapped-uploads', 'upload-only', 'notice'],
  ] as const)('%s, %s: is as long as the repeat, and most of it is %s', async (id, variant, most) => {
    const placed = await place(`${id}.hdl.gz`)
    const index = placed.trace.strings.indexOf(variant)
    const windows = repeatWindows(placed.trace, index)
    const [typical] = typicalRepeats(placed.trace, index)
    const nth = windows.findIndex((span) => placed.trace.spans.repeat[span] === typical)
    const window = windows[nth] ?? -1
    const path = pathOf(placed, variant, nth)
    expectWhole(path)
    expect(path.segments[0]?.startNs).toBe(placed.startNs[window])
    expect(path.segments.at(-1)?.endNs).toBe(placed.endNs[window])
    expect(Math.max(...Object.values(path.ns))).toBe(path.ns[most])
  })
})

describe('drawnPathOf', () => {
  it('has one repeat of each variant of a run, in order of time', async () => {
    const { parts, problems } = drawnPathOf(await place('sync-stalls.hdl.gz'))
    expect(problems).toEqual([])
    expect(parts.length).toBeGreaterThan(1)
    let lastNs = -Infinity
    for (const { title, startNs, endNs, segments } of parts) {
      expect(title).toMatch(/, repeat \d+$/)
      expect(startNs).toBeGreaterThanOrEqual(lastNs)
      expect([segments.startNs[0], segments.endNs.at(-1)]).toEqual([startNs, endNs])
      lastNs = endNs
    }
  })

  it('has the whole of another trace as one part, in columns', async () => {
    const placed = await place('torch-sync-stalls-stalled.json.gz')
    const path = criticalPath(placed)
    if (!path) throw new Error('no path')
    const { parts, problems } = drawnPathOf(placed)
    expect(problems).toEqual([])
    const columns = pathColumns(path)
    expect(parts).toMatchObject([{ title: '', segments: columns }])
    expect(
      path.segments.map((_, at) => ({
        who: columns.owners[columns.who[at] ?? -1],
        span: columns.span[at],
        startNs: columns.startNs[at],
        endNs: columns.endNs[at],
      })),
    ).toEqual(path.segments)
    expect(columns.owners.map((who, at) => [who, columns.ns[at]])).toEqual(Object.entries(path.ns))
  })

  it('says why where there is none', async () => {
    expect(drawnPathOf(placeTrace((await opened('[]')).trace))).toMatchObject({
      parts: [],
      problems: [expect.stringContaining('device')],
    })
  })
})
