import { describe, expect, it } from 'vitest'
import { experiments } from '../../../experiments/testing/catalog'
import { experimentLessons } from '../../../lessons/testing/catalog'
import { differences, queryFromValues, valuesFromQuery } from './param-query'

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
