/** The checks of every mend, asked of gradings that were recorded on a real device: what each wrong or cheating program is found out by. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lessonsWithMend, mendText } from '../../cli/mend-files'
import { gradeOf } from '../mend/checks'
import { allChecksOf } from '../mend/mend'
import { gradingsOf } from '../mend/testing/kept-gradings'
import type { Grade } from '../mend/types'
import { rightPrograms, wrongPrograms } from '../mend/testing/programs'
import { mendOf, rungsOf } from './mends'

const fileOf = (lesson: string): string => join(import.meta.dirname, lesson, 'mend', 'testing', 'gradings.br')

describe.each(lessonsWithMend())('%s', (lesson) => {
  it('was recorded', () => {
    expect(existsSync(fileOf(lesson))).toBe(true)
  })
  if (!existsSync(fileOf(lesson))) return
  const gradings = gradingsOf(readFileSync(fileOf(lesson)))

  const graded = new Map<string, Promise<Grade>>()
  const gradeAnew = async (name: string, source: string) => {
    const recorded = gradings[name]
    if (!recorded) throw new Error(`${name} was not recorded.`)
    return gradeOf(allChecksOf(await mendOf(lesson), source, recorded))
  }
  /** Each program has one source and one recording: judged once. */
  const grade = (name: string, source: string): Promise<Grade> => {
    const found = graded.get(name) ?? gradeAnew(name, source)
    graded.set(name, found)
    return found
  }
  const failed = async (name: string, source: string) => {
    const { checks } = await grade(name, source)
    return checks.flatMap(({ id, outcome }) => (outcome === 'no' ? [id] : []))
  }

  it('nothing is wrong with the lab’s own', async () => {
    expect(await failed('reference', await mendText(lesson, 'reference'))).toEqual([])
  })
  it('every rule is listed before the first try', async () => {
    const { words } = await mendOf(lesson)
    const { checks } = await grade('reference', await mendText(lesson, 'reference'))
    expect(checks.map(({ id }) => id).sort()).toEqual(words.must.map(({ id }) => id).sort())
    expect(words.must.every(({ text }) => text !== '')).toBe(true)
  })
  it('every rule of a rung before the last is listed too', async () => {
    const { reference } = gradings
    for (let rung = 1; reference && rung < rungsOf(lesson); rung += 1) {
      const { words, checks } = await mendOf(lesson, rung)
      const own = words.must.filter(({ isCommon }) => !isCommon)
      expect(checks(reference).map(({ id }) => id)).toEqual(own.map(({ id }) => id))
    }
  })
  it('the unchanged program has not been mended', async () => {
    expect(await failed('start', await mendText(lesson, 'start'))).toContain('changed')
  })
  it('each wrong program fails what it says it does, and each right one nothing', async () => {
    // Those that were written since wait for the next recording on a GPU; in browsers all of them run (e2e/mends-all.spec.ts).
    const isRecorded = ({ name }: { readonly name: string }) => name in gradings
    const wrong = (await wrongPrograms(lesson)).filter(isRecorded)
    const right = (await rightPrograms(lesson)).filter(isRecorded)
    expect(['reference', 'start', ...[...wrong, ...right].map(({ name }) => name)].sort()).toEqual(
      Object.keys(gradings).sort(),
    )
    for (const { name, source, fails } of wrong) {
      expect(await failed(name, source), name).toContain(fails)
      expect((await grade(name, source)).passed, name).toBe(false)
    }
    for (const { name, source } of right) expect(await failed(name, source), name).toEqual([])
  })
})
