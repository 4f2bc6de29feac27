/**
 * The words of each lesson, played over every run of it that was recorded, over these with the
 * effect taken out, and over made-up runs. `LAB_LIST=1 npx vitest run
 * src/lessons/play-words.test.ts` prints each branch and the first run that shows it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recordedRuns } from './testing/recorded-runs'
import { exerciseWords, experimentLessons, metaOf } from './testing/catalog'
import { askedFor, branchesOf } from './testing/branches'
import { bannedWord, proseFault } from './testing/check-prose'
import { disturbed, judged, madeUp, withoutEffect } from './testing/made-up-runs'
import { holds } from '../text/condition'
import { playWords, type PlayedRun } from './testing/play-words'

/** Text that a reader sees where a figure is missing, or a text was not filled in. */
const BROKEN = /\b(NaN|undefined|null|Infinity)\b|\[object|not measured|[{}]/
/** At most so many made-up runs are tried; most branches are shown by the first hundred. */
const MOST_SEEDS = 1500

/** An experiment's sources without its tests. */
const sourcesOf = (id: string): string =>
  readdirSync(`src/experiments/${id}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(`src/experiments/${id}/${path}`, 'utf8'))
    .join('\n')

const lists = process.env['LAB_LIST'] === '1'

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (id, lesson) => {
  const declaration = metaOf(lesson)
  const mend = exerciseWords(id)
  const of = (runOf: (step: string) => PlayedRun | null) => ({ words: lesson, mend, declaration, runOf })
  const recorded = recordedRuns(id).map(([name, reports]) => {
    const runs = new Map([...reports].map(([step, report]) => [step, judged(declaration, report)]))
    return [name, runs] as const
  })

  it('says nothing that is broken, whatever was measured', () => {
    const check = (runOf: (step: string) => PlayedRun | null, name: string) => {
      for (const { at, words } of playWords(of(runOf))) {
        const fault = proseFault(words)
        if (fault !== null) expect.fail(`${name}, ${at}: ${words}: ${fault}`)
        // A mend may be about a NaN, and about what was measured just before.
        if (at.startsWith('mend')) continue
        const banned = BROKEN.exec(words.replaceAll(/`[^`]*`/g, ''))?.[0] ?? bannedWord(words)
        if (banned !== null) expect.fail(`${name}, ${at}: ${words}: ${banned}`)
      }
    }
    for (const [name, runs] of recorded) {
      check((step) => runs.get(step) ?? null, name)
      check((step) => {
        const run = runs.get(step)
        return run ? withoutEffect(declaration, run.report) : null
      }, `${name}, without effect`)
    }
    for (let seed = 1; seed <= 50; seed += 1) {
      const run = madeUp(declaration, lesson, seed)
      check(() => run, `made up, ${String(seed)}`)
    }
    check(() => null, 'no run')
  })

  it('says of no recorded run that a part was larger than its whole', () => {
    for (const [name, runs] of recorded)
      for (const { at, words } of playWords(of((step) => runs.get(step) ?? null)))
        for (const [, percent = ''] of words.matchAll(/(\d[\d.,]*) %/g))
          // A median above the whole is said, and that it can't be.
          if (Number(percent.replaceAll(',', '')) > 100 && !words.includes('More than all cannot be'))
            expect.fail(`${name}, ${at}: ${percent} %: ${words}`)
  })

  it('asks for figures, parameters and facts that its experiment has', () => {
    const asked = askedFor({ words: lesson, mend, declaration })
    const metrics = declaration.metrics.map(({ name }) => name)
    const params = declaration.params.map(({ name }) => name)
    expect([...asked.metrics].filter((name) => !metrics.includes(name))).toEqual([])
    expect([...asked.params].filter((name) => !params.includes(name))).toEqual([])
    expect(asked.metrics.size).toBeGreaterThan(0)
    const known = new Set(
      recorded.flatMap(([, runs]) => [...runs.values()].flatMap(({ report }) => Object.keys(report.derived))),
    )
    // Some words only another machine writes, such as why it has no ranks: no recorded run has
    // them.
    const isWritten = (name: string) => new RegExp(`\\b${name}\\b`).test(sourcesOf(declaration.id))
    expect([...asked.derived].filter((name) => !known.has(name) && !isWritten(name))).toEqual([])
  })

  it('has no branch that no run shows', () => {
    const by = new Map<string, string>()
    const all = new Set<string>()
    const play = (name: string, runOf: (step: string) => PlayedRun | null) => {
      const branches = branchesOf(of(runOf))
      for (const branch of branches.all) all.add(branch)
      for (const branch of branches.shown) if (!by.has(branch)) by.set(branch, name)
    }
    for (const [name, runs] of recorded) {
      play(name, (step) => runs.get(step) ?? null)
      play(`${name}, played`, (step) => {
        const run = runs.get(step)
        return run ? { ...run, origin: 'recorded' } : null
      })
    }
    for (const [name, runs] of recorded)
      play(`${name}, without effect`, (step) => {
        const run = runs.get(step)
        return run ? withoutEffect(declaration, run.report) : null
      })
    play('no run', () => null)
    const missing = () => [...all].filter((branch) => !by.has(branch))
    const reports = recorded.flatMap(([, runs]) => [...runs.values()].map(({ report }) => report))
    for (let seed = 1; seed <= MOST_SEEDS && missing().length > 0; seed += 1) {
      const run = madeUp(declaration, lesson, seed)
      play(`made up, ${String(seed)}`, () => run)
      const report = reports[seed % reports.length]
      if (!report) continue
      const other = disturbed(declaration, report, seed)
      play(`recorded and disturbed, ${String(seed)}`, () => other)
    }
    if (lists)
      process.stdout.write(
        [...all].map((branch) => `${id}, ${branch}\n    ${by.get(branch) ?? 'NOT SHOWN'}\n`).join(''),
      )
    expect(missing().join('\n')).toBe('')
  })

  it('asks a question that presumes something of a recording of which it is true', () => {
    for (const item of lesson.quiz)
      if (item.premise) {
        const { when, recorded: of } = item.premise
        expect(holds(when, of.facts, declaration.names(of.facts)), item.id).toBe(true)
      }
  })
})
