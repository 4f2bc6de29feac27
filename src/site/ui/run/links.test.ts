import { beforeAll, describe, expect, it } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { parseParams } from '../../../experiments/experiment'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { loadLesson } from '../../../lessons/load'
import { FIRST_RUN } from '../../state/lesson-runs'
import { addressOf, readAddress } from '../../state/url'
import { settingsRoute } from './param-query'
import { valuesFromQuery } from './param-query'

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
