/**
 * The choices of every lesson that has them: what is drawn of a recording before and after it is
 * pressed, and what is said of it.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { experimentLessons } from '../../lessons/testing/catalog'
import { bannedWord, proseFault } from '../../lessons/testing/check-prose'
import { textOf } from '../ui/source/lines'
import { drawnOf, hasChoices, loadChoices, standingOf, type Choices } from './choices-of'
import { RecordedChoices } from './RecordedChoices'

/** Of one choice, as it travels: compressed. Sixteen micro-batches a step have 27 kB. */
const LIMIT_BYTES = 30_000
const lessons = experimentLessons.filter(({ id }) => hasChoices(id))

const markupOf = (choices: Choices, tried: readonly string[]) =>
  renderToStaticMarkup(<RecordedChoices {...choices} tried={tried} onTry={() => undefined} />)

it('some lessons have choices', () => expect(lessons.length).toBeGreaterThan(0))

describe.each(lessons)('$id', ({ id }) => {
  it('has a strip for each choice on one scale, with work of host and GPU, in few bytes', async () => {
    const { choices, excerpt } = await loadChoices(id)
    expect(excerpt.strips.map(({ variant }) => variant)).toEqual(choices.map(({ label }) => label))
    for (const [at, strip] of excerpt.strips.entries()) {
      const { rows, stepsEnded } = strip
      expect(gzipSync(JSON.stringify(strip)).length).toBeLessThan(LIMIT_BYTES)
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(
        new Set(choices[at]?.share === null ? ['host'] : ['host', 'device']),
      )
      expect(rows.every(({ bars }) => bars.length > 0)).toBe(true)
      expect(stepsEnded).toBeGreaterThanOrEqual(3)
    }
  })

  it('shows lines that its script has', async () => {
    const { before, after, choices, script } = await loadChoices(id)
    const ran = readFileSync(`public/companion/${script}`, 'utf8')
    const shown = [before.slice(1), after, ...choices.map(({ lines }) => lines)]
    for (const line of shown.flatMap((lines) => (lines.length > 0 ? textOf(lines).split('\n') : [])))
      expect(ran).toContain(line.trim())
  })

  it('draws nothing before a choice is pressed, and keeps its lanes', async () => {
    const { excerpt, choices } = await loadChoices(id)
    const [first] = choices
    const none = drawnOf(excerpt, [])
    expect(none.strips.flatMap(({ rows }) => rows.flatMap(({ bars }) => bars))).toEqual([])
    expect(none.strips.map(({ rows }) => rows.length)).toEqual(excerpt.strips.map(({ rows }) => rows.length))
    const one = drawnOf(excerpt, [first?.label ?? ''])
    expect(one.strips[0]).toBe(excerpt.strips[0])
    expect(one.strips[1]).toEqual(none.strips[1])
  })

  it('has sound words', async () => {
    const { question, intro, choices } = await loadChoices(id)
    for (const text of [question, ...intro, ...choices.flatMap(({ label, why }) => [label, ...why])]) {
      expect(proseFault(text), text).toBeNull()
      expect(bannedWord(text), text).toBeNull()
    }
  })

  it('says which is quickest, of one at least and never of all', async () => {
    const { choices } = await loadChoices(id)
    const quickest = choices.map((choice) => standingOf(choice, choices).startsWith('No other'))
    expect(quickest).toContain(true)
    // Repeats of a step without GPU can spread over all others.
    if (id !== 'worth-it') expect(quickest).toContain(false)
    const times = choices.map(({ took }) => took.value)
    expect(quickest[times.indexOf(Math.min(...times))]).toBe(true)
  })

  it('says no figure before a choice is pressed, and keeps the room of every result', async () => {
    const choices = await loadChoices(id)
    const markup = markupOf(choices, [])
    expect(markup.match(/class="choice-result[^>]*data-shown="false"/g)).toHaveLength(choices.choices.length)
    expect(markup).not.toContain('data-shown="true"')
    expect(markup.match(/aria-pressed="false"/g)).toHaveLength(choices.choices.length)
    expect(markup).toMatch(/role="status"[^>]*><\/p>/)
  })

  it('has what was pressed before: the first is the answer, the last is shown, and nothing plays', async () => {
    const choices = await loadChoices(id)
    const [first = '', second = ''] = choices.choices.map(({ recording }) => recording)
    const markup = markupOf(choices, [second, 'gone', first])
    expect(markup.match(/aria-pressed="(?:true|false)"/g)?.slice(0, 2)).toEqual([
      'aria-pressed="true"',
      'aria-pressed="false"',
    ])
    const own = [...markup.matchAll(/class="choice-own[^>]*data-shown="(\w+)"/g)].map(([, shown]) => shown)
    expect(own.slice(0, 2)).toEqual(['false', 'true'])
    expect(markup.match(/class="choice-result[^>]*data-shown="true"/g)).toHaveLength(1)
    expect(markup).not.toContain('data-turn')
  })
})

const choice = (value: number, low: number, high: number) => ({
  label: 'The CPU',
  took: { value, low, high },
})

it('a choice whose repeats are mostly quicker is not passed over for one that was slow', () => {
  const gpu = choice(0.105, 0.091, 0.116)
  expect(standingOf(gpu, [gpu, choice(0.1, 0.09, 0.12)])).toBe('No other choice is measurably quicker.')
  expect(standingOf(gpu, [gpu, choice(0.017, 0.015, 0.02)])).toBe('The other choice is quicker.')
  expect(standingOf(gpu, [gpu, choice(0.017, 0.015, 1.1)])).toMatch(
    /^‘The CPU’ was quicker in at least half of its repeats, and took 1\.1\sms in its slowest\.$/,
  )
})
