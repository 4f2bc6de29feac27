import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeRun } from '../trace/codec'
import { placeTrace } from '../trace/place'
import { SPAN_KINDS } from '../trace/schema'
import { repeatPath, type RepeatPath } from './repeat-path'
import { MS, Scene } from './testing/scene'

function pathOf(found: RepeatPath | string): RepeatPath {
  if (typeof found === 'string') throw new Error(found)
  return found
}

const inMs = ({ stretches }: RepeatPath) =>
  stretches.map(({ who, startNs, endNs }) => `${who} ${((endNs - startNs) / MS).toFixed(1)}`)

describe('repeatPath', () => {
  it('goes through the host, the launch, the device and the notice of every awaited step', () => {
    const scene = new Scene({ boundMs: 0 })
    for (const [step, at] of [10, 15].entries()) {
      scene.onHost('encode', 'encode', at, at + 1)
      scene.submit(step + 1, at + 1, at + 1)
      const pass = scene.pass(step + 1, at + 1.5, at + 3.5)
      const wait = scene.onHost('host-wait', 'await', at + 1, at + 5, { submission: step + 1 })
      scene.builder.addFlow(pass, wait, 'sync')
    }
    scene.onHost('window', 'v', 10, 20)
    const step = ['host 1.0', 'launch 0.5', 'device 2.0', 'notice 1.5']
    expect(inMs(pathOf(repeatPath(scene.place(), 'v')))).toEqual([...step, ...step])
  })

  it('stays on the device where work was queued behind work', () => {
    const scene = new Scene({ boundMs: 0 })
    scene.submit(1, 10, 11)
    scene.submit(2, 11, 12)
    scene.pass(1, 12, 15)
    const pass = scene.pass(2, 15.2, 18)
    const wait = scene.onHost('host-wait', 'await', 12, 19, { submission: 2 })
    scene.builder.addFlow(pass, wait, 'sync')
    scene.onHost('window', 'v', 10, 19)
    const path = pathOf(repeatPath(scene.place(), 'v'))
    expect(inMs(path)).toEqual([
      'host 1.0',
      'launch 1.0',
      'device 3.0',
      'switch 0.2',
      'device 2.8',
      'notice 1.0',
    ])
    expect(path.ns.device / MS).toBeCloseTo(5.8, 6)
  })

  it('takes the repeat nearest to the median, and says why where there is none', () => {
    const scene = new Scene({ boundMs: 0 })
    for (const [repeat, lengthMs] of [9, 2, 3].entries()) {
      scene.tag = { variant: 'v', repeat }
      const at = 10 + repeat * 20
      scene.submit(repeat + 1, at, at)
      scene.pass(repeat + 1, at, at + 1)
      scene.onHost('window', 'v', at, at + lengthMs)
    }
    expect(pathOf(repeatPath(scene.place(), 'v')).repeat).toBe(2)
    expect(repeatPath(scene.place(), 'w')).toContain('No counted repeat')
    const blind = new Scene()
    blind.onHost('window', 'v', 0, 1)
    expect(repeatPath(blind.place(), 'v')).toContain('No work of the device')
  })

  it.each([
    ['sync-stalls', 'every-step', 'notice'],
    ['sync-stalls', 'never', 'device'],
    ['async-submission', 'queued', 'device'],
    ['overlapped-uploads', 'serial', 'device'],
    ['overlapped-uploads', 'upload-only', 'host'],
  ] as const)(
    '%s, %s: has no holes, adds up to the repeat, and most of it is %s',
    async (id, variant, most) => {
      const decoded = await decodeRun(await readFile(`public/recordings/${id}.hdl.gz`))
      if (!decoded.ok) throw new Error(decoded.error.message)
      const placed = placeTrace(decoded.value.trace)
      const { stretches, ns, repeat } = pathOf(repeatPath(placed, variant))
      for (const [index, stretch] of stretches.slice(1).entries())
        expect(stretch.startNs).toBe(stretches[index]?.endNs)
      const { spans, strings } = placed.trace
      const window = Array.from(spans.kind).findIndex(
        (kind, span) =>
          SPAN_KINDS[kind] === 'window' &&
          spans.repeat[span] === repeat &&
          strings[spans.variant[span] ?? -1] === variant,
      )
      expect(stretches[0]?.startNs).toBe(placed.startNs[window])
      expect(stretches.at(-1)?.endNs).toBe(placed.endNs[window])
      expect(Math.max(...Object.values(ns))).toBe(ns[most])
    },
  )
})
