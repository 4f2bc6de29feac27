import { describe, expect, it } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { benchRoute, differences, queryFromValues, settingsRoute, valuesFromQuery } from './param-query'
import { parseParams } from '../../../experiments/experiment'
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

describe.each(experimentLessons.map((lesson) => [lesson.id, lesson] as const))(
  'links of %s',
  (id, lesson) => {
    const meta = metaOf(lesson.experiment)

    it('of settings open the same screen and ask for the run’s own values', () => {
      for (const given of [lesson.values, { ...lesson.values, ...meta.short }]) {
        const params = valuesOf(meta.id, given)
        const route = settingsRoute(lesson, meta, FIRST_RUN, params)
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
        const opened = readAddress(addressOf(settingsRoute(lesson, meta, step, params)))
        if (opened.page !== 'lesson') throw new Error('another page')
        expect([opened.screen, opened.step]).toEqual(['change', step])
        expect(valuesFromQuery(meta, own, opened.query)).toMatchObject({ ok: true, value: params })
      }
    })
  },
)

it('of the bench are of its settings alone', () => {
  for (const experiment of experiments) {
    const { id, params } = experiment
    const values = valuesOf(id, Object.fromEntries(params.map(({ name, default: own }) => [name, own])))
    expect(benchRoute(experiment, values)).toEqual({ page: 'run', id, query: {} })
  }
})
