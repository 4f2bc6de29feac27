/** The images of links: what is on them was recorded, and the same sources give the same bytes. */
import { describe, expect, it } from 'vitest'
import { outlines, readRecording } from '../../../vite/previews'
import { pngOf } from '../../../vite/typeface'
import { loadLesson } from '../../lessons/load'
import { createRunFiles } from '../state/run-files'
import { faceOf } from '../../strips/marks'
import { endedState } from '../state/run-store'
import { excerptOf } from '../../strips/of-run'
import { traceTools } from '../state/trace-tools'
import { lessonRoute } from '../state/url'
import { previewSvg } from './preview'

const type = outlines()
const lesson = (id: string, heading: string) => ({ route: lessonRoute(id), heading, action: null })

const DEVICE = '#009e73'
const count = (svg: string, text: string) => svg.split(text).length - 1

describe('the image of a lesson', () => {
  it('has a bar for every pass of its recording that is in view, and no other', async () => {
    const words = await loadLesson('sync-stalls')
    if (words.kind !== 'experiment') throw new Error('it has an experiment')
    const bytes = await readRecording(words.recording)
    if (!bytes) throw new Error('it is recorded')
    const read = await createRunFiles(() => Promise.reject(new Error('none'))).readRun(bytes, 'recorded')
    if (!read.ok) throw new Error(read.error.message)
    const excerpt = excerptOf(endedState('test', read.value, traceTools), words.excerpt)
    const passes = (excerpt?.strips ?? []).flatMap(({ rows }) =>
      rows.flatMap(({ bars }) => bars.filter(({ kind }) => kind === 'compute')),
    )
    expect(passes.length).toBeGreaterThan(10)
    const svg = await previewSvg(lesson('sync-stalls', words.question), type, readRecording)
    // And the key's.
    expect(count(svg, `fill="${DEVICE}"`)).toBe(passes.length + 1)
    const adapter = read.value.report?.environment.adapterName ?? ''
    expect(adapter).not.toBe('')
    const on = `recorded on ${adapter}`
    expect([18, 16, 13].some((size) => svg.includes(type.outline(on, faceOf(size, 'bold'))))).toBe(true)
  })

  it('has no picture where there is no recording', async () => {
    const svg = await previewSvg(lesson('sync-stalls', 'Why?'), type, () => Promise.resolve(null))
    expect(count(svg, DEVICE) + count(svg, '<rect')).toBe(1)
  })

  it('has the ranks of the profile that a lesson without a run shows, and profiles that a page names', async () => {
    const named = ['vit_norms', 'lstm_cells'].map((name) => ({ name, file: `profiles/${name}.json.gz` }))
    const find = { route: { page: 'find', number: null }, heading: 'Find it.', action: null } as const
    const drawn = {
      ranks: await previewSvg(lesson('read-a-profile', 'What is wrong?'), type, readRecording),
      named: await previewSvg({ ...find, profiles: named }, type, readRecording),
      none: await previewSvg(find, type, readRecording),
    }
    for (const name of ['rank 0', 'rank 1'])
      expect(drawn.ranks).toContain(type.outline(name, faceOf(26, 'bold')))
    for (const { name } of named) expect(drawn.named).toContain(type.outline(name, faceOf(26, 'bold')))
    // An area a strip, and the key's.
    expect([drawn.ranks, drawn.named].map((svg) => count(svg, DEVICE))).toEqual([3, 3])
    expect([count(drawn.none, DEVICE), count(drawn.none, '<rect')]).toEqual([0, 1])
  })

  it('is the same, byte by byte, each time', async () => {
    const draw = async () => pngOf(await previewSvg(lesson('ranks', 'Why?'), outlines(), readRecording))
    const [one, other] = [await draw(), await draw()]
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
    const view = new DataView(one.buffer, one.byteOffset)
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([1200, 630])
  })

  it('keeps a long question within its width', () => {
    expect(type.widthOf('iii', faceOf(20))).toBeLessThan(type.widthOf('mmm', faceOf(20)))
    expect(type.widthOf('mmm', faceOf(40, 'bold'))).toBeCloseTo(2 * type.widthOf('mmm', faceOf(20, 'bold')))
  })
})
