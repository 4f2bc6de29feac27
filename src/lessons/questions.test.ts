/**
 * Questions with an address: each leads to a lesson, and a step of it, that exists, with settings
 * that it takes.
 */
import { describe, expect, it } from 'vitest'
import { checkPython } from '../check/check'
import { experiments } from '../experiments/testing/catalog'
import { readAddress } from '../site/state/url'
import { valuesFromQuery } from '../site/ui/run/param-query'
import { lessons } from './testing/catalog'
import { questions } from './questions'
import { bannedWord, proseFault } from './testing/check-prose'

const SCREENS = ['', 'predict', 'see', 'mend', 'find', 'change', 'why', 'own']

/** One screen of a phone holds so many words beside the fix. */
const MOST_WORDS = 90
const MOST_LINES = 9

describe.each(questions.map((question) => [question.id, question] as const))(
  '%s',
  (id, { heading, group, text, code, action }) => {
    it('stands in a group, beside others', () => {
      expect(
        questions.filter((each) => each.group !== undefined && each.group === group).length,
      ).toBeGreaterThan(1)
    })

    it('is a question with an answer in sound words', () => {
      expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
      expect(heading).toMatch(/\?$/)
      expect(text.length).toBeGreaterThan(0)
      for (const words of text) {
        expect(typeof words).toBe('string')
        if (typeof words === 'string') {
          expect(proseFault(words), words).toBeNull()
          expect(bannedWord(words), words).toBeNull()
        }
      }
    })

    it('is short', () => {
      expect(text.join(' ').split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS)
      expect((code ?? []).length).toBeLessThanOrEqual(MOST_LINES)
    })

    it('has a fix that reads as Python', () => {
      const source = (code ?? []).map((line) =>
        line.map((token) => (typeof token === 'string' ? token : token[0])).join(''),
      )
      expect(checkPython(source.join('\n')).unread, source.join('\n')).toEqual([])
    })

    it('leads to where it is measured', () => {
      const route = readAddress(action.address)
      if (route.page !== 'lesson') {
        expect(['method', 'reference', 'trace', 'device']).toContain(route.page)
        return
      }
      const lesson = lessons.find((each) => each.id === route.id)
      if (!lesson) throw new Error(`there is no lesson '${route.id}'`)
      expect(SCREENS).toContain(route.screen)
      if (route.step !== '') {
        if (lesson.kind !== 'experiment') throw new Error('only lessons of experiments have steps')
        expect(lesson.steps.map((step) => step.id)).toContain(route.step)
      }
      if (lesson.kind !== 'experiment') return
      const meta = experiments.find(({ id }) => id === lesson.experiment)
      if (!meta) throw new Error('a lesson has its experiment')
      expect(valuesFromQuery(meta, lesson.values, route.query).ok).toBe(true)
    })
  },
)
