import { describe, expect, it, beforeAll } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { differences, queryFromValues, valuesFromQuery, settingsRoute } from './param-query'
import { parseParams } from '../../../experiments/experiment'
import { loadLesson } from '../../../lessons/load'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, readAddress } from '../../state/url'

const meta = experiments.find(({ id }) => id === 'overlapped-uploads')
if (!meta) throw new Error('the experiment is in the catalog')

describe('query <-> values', () => {
  it('writes only what differs, and reads it back', () => {
    const steps = meta.params.find(({ name }) => name === 'steps')?.default ?? 0
    const values = { rings: ['1', '4'], steps, balance: 0.5 }
    const query = queryFromValues(meta, {}, values)
    expect(query).toEqual({ rings: '1,4', balance: '0.5' })
    const read = valuesFromQuery(meta, {}, query)
    expect(read.ok && differences(meta, read.value, values)).toEqual([])
  })

  it('round-trips every step and link of every lesson', () => {
    for (const lesson of experimentLessons) {
      const own = experiments.find(({ id }) => id === lesson.experiment)
      if (!own) throw new Error(lesson.experiment)
      const given = [
        ...lesson.steps.flatMap(({ action }) => (action ? [action.values] : [])),
        ...lesson.tryNext.map((next) => next.values),
      ]
      for (const values of given) {
        const laid = valuesFromQuery(own, { ...lesson.values, ...values }, {})
        if (!laid.ok) throw new Error(laid.error.message)
        const again = valuesFromQuery(own, lesson.values, queryFromValues(own, lesson.values, laid.value))
        expect(again).toEqual(laid)
      }
    }
  })

  it('refuses a bad value with its name, range and value', () => {
    const read = valuesFromQuery(meta, {}, { steps: '9000' })
    expect(read.ok ? null : read.error).toMatchObject({
      code: 'parameter',
      data: { parameter: 'steps', value: '9000' },
    })
    expect(valuesFromQuery(meta, {}, { stpes: '9' }).ok).toBe(false)
  })
})

const metaOf = (id: string) => {
  const meta = experiments.find((experiment) => experiment.id === id)
  if (!meta) throw new Error(`no experiment ${id}`)
  return meta
}
const valuesOf = (id: string, values: Record<string, unknown>) => {
  const parsed = parseParams(metaOf(id), values)
  if (!parsed.ok) throw new Error(parsed.error.message)
  return parsed.value
}

// As on the page, which has the lesson that it shows.
beforeAll(async () => {
  await Promise.all(experimentLessons.map(({ id }) => loadLesson(id)))
})

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))(
  'links of %s',
  (id, lesson) => {
    const meta = metaOf(lesson.experiment)

    it('of settings open the same screen and ask for the run’s own values', () => {
      for (const given of [lesson.values, { ...lesson.values, ...meta.short }]) {
        const params = valuesOf(meta.id, given)
        const route = settingsRoute(
          { page: 'lesson', lesson: id, step: FIRST_RUN },
          { experiment: meta.id, params },
        )
        if (!route) throw new Error('no link')
        expect(addressOf(route).length).toBeLessThan(400)
        const opened = readAddress(addressOf(route))
        if (opened.page !== 'lesson') throw new Error('another page')
        expect([opened.id, opened.screen, opened.step]).toEqual([id, 'see', ''])
        expect(valuesFromQuery(meta, lesson.values, opened.query)).toMatchObject({ ok: true, value: params })
      }
    })

    it('of a step’s settings open that step with them', () => {
      for (const { id: step, action } of lesson.steps) {
        const own = { ...lesson.values, ...action?.values }
        const params = valuesOf(meta.id, { ...own, ...meta.short })
        const route = settingsRoute({ page: 'lesson', lesson: id, step }, { experiment: meta.id, params })
        const opened = readAddress(addressOf(route ?? { page: 'home' }))
        if (opened.page !== 'lesson') throw new Error('another page')
        expect([opened.screen, opened.step]).toEqual(['change', step])
        expect(valuesFromQuery(meta, own, opened.query)).toMatchObject({ ok: true, value: params })
      }
    })
  },
)

it('of the bench are of its settings alone, and of a file there is none', () => {
  for (const { id, params } of experiments) {
    const values = valuesOf(id, Object.fromEntries(params.map(({ name, default: own }) => [name, own])))
    const run = { experiment: id, params: values }
    expect(settingsRoute({ page: 'bench' }, run)).toEqual({ page: 'run', id, query: {} })
    expect(settingsRoute({ page: 'trace' }, run)).toBeNull()
  }
  const foreign = { experiment: '', params: {} }
  expect(settingsRoute({ page: 'bench' }, foreign)).toBeNull()
})
